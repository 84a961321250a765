// Package scan finds secrets, credentials, identifiers, personal data, addresses and
// times in text, in one pass of a lexer over its bytes.
//
// The lexer cuts a text into tokens, at blanks, quotes, brackets and everything beyond
// ASCII, and a table of byte classes tells what a token is made of. Most tokens are
// words and done at once. The others are walked once more, word by word: the kind of a
// word and the separators beside it are the triggers, and each trigger has a small
// validator that knows one format. A validator looks a bounded number of bytes back and
// forth, so that the work grows with the text and not faster.
package scan
