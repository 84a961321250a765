package main

// The scenes in the order of the show.
var scenes = []scene{
	{"The tools", "What a client learns of each: whether it changes anything follows from the declared capabilities.", listTools},
	{"A good call", "The arguments select assets; the result is one page of them.", findRunning},
	{"Structured output", "A client decodes the same value that a model reads as text.", countByProvider},
	{"Numbers stay as they are", "This one has no exact float64; it arrives digit for digit.", bigNumber},
	{"A link", "A handler attaches a link; the client gets it as a block of its own.", follow},
	{"A handler of the SDK", "It was written for mcp.AddTool and is registered unchanged.", legacy},
	{"A bad call", "The tool has no such argument; its handler never runs, and the model reads what to change.", badArguments},
	{"Something that does not exist", "The handler says so with an error written for the client.", unknownAsset},
	{"An unknown tool", "The only failure that is an error of the protocol.", unknownTool},
	{"Progress", "The handler reports how far it is while it works.", progress},
	{"A timeout", "The tool has two seconds and would need six; what it reported until then has arrived.", timeout},
	{"A survived panic", "The client gets an id, the server's log the same id with the reason; the next call works.", crash},
	{"A result cut", "The text is cut at a limit and says so; the structured value is whole.", cut},
}
