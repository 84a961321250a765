package canonical

var (
	Rewrite    = rewrite
	AppendFlat = appendFlat
)
