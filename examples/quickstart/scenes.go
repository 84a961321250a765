package main

// The scenes in the order of the show.
var scenes = []scene{
	{"The tools", "What a client learns of each: whether it changes anything, how sensitive its results are.", listTools},
	{"A good call", "The arguments select assets; the result is one page of them.", findRunning},
	{"Structured output", "A client decodes the same value that a model reads as text.", countByProvider},
	{"Numbers stay as they are", "This one has no exact float64; it arrives digit for digit.", bigNumber},
	{"A number in quotes", "Models do that. It is taken as the number it means.", quotedNumber},
	{"A bad call", "The handler never runs; the model reads everything that is wrong at once.", badArguments},
	{"Something that does not exist", "The handler says so with an error written for the client.", unknownAsset},
	{"An unknown tool", "The only failure that is an error of the protocol; a hidden tool gives the very same.", unknownTool},
	{"Progress", "The handler reports how far it is while it works.", progress},
	{"A timeout", "The tool has two seconds and would need six; what it reported until then has arrived.", timeout},
	{"A survived panic", "The client gets an id, the server's log the reason; the next call works.", crash},
	{"A result cut", "The text is cut at a limit and says so; the structured value is whole.", cut},
	{"A handler of the SDK", "It was written for mcp.AddTool and is registered unchanged.", legacy},
	{"Resource templates", "{name} stands for one segment of a URI, {+ref} for anything.", listTemplates},
	{"A link, and the resource behind it", "The link is a block of the result; its URI comes from the template {name}.", follow},
	{"A name with slashes", "The template {+ref} takes an asset's id as it is.", readAsset},
	{"A resource that does not exist", "Here every failure is an error of the protocol.", readNothing},
	{"Completions", "What a template's variable or a prompt's argument could be.", completions},
	{"A prompt", "Its text is ready to be sent to a model.", prompt},
	{"A prompt without its argument", "The handler never runs.", promptWithout},
}
