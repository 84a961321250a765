package canonical

var Rewrite = rewrite
