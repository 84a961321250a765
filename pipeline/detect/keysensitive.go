package detect

import (
	"bytes"
	"strings"
)

// sensitiveWords are words, and words in a row, that a name has whose value is a
// secret.
var sensitiveWords = wordSet(
	"password passwords passwd pwd passphrase passphrases secret client_secret api_key access_key secret_key private_key " +
		"token access_token refresh_token id_token session_token auth_token bearer credential credentials authorization auth " +
		"cookie cookies connection_string conn_str sas_token sas signature user_data primary_key secondary_key account_key " +
		"shared_key master_key admin_password kubeconfig pem")

// describing are endings of names that tell something about a secret. Those of the
// second list may be followed by more.
var (
	describing = strings.Fields("_id _ids _arn _name _type _state _status _usage _enabled _last_used _last_changed _age _length " +
		"_count _policy _date _time _version _present _required _set _configured _manager _source _format _algorithm _kind " +
		"_ref _location _uri _url _endpoint _header _scheme _method _mode _provider _issuer _audience _ttl _lifetime _exists " +
		"_level _size _fingerprint _thumbprint _hint")
	describingStarts = strings.Fields("_rotation _expir _created")
	describingFirst  = strings.Fields("has_ is_ num_ require_ requires_ allow_ allows_ enable_ enables_ enabled_ use_ uses_ max_ min_")
	pagingTokens     = strings.Fields("next_token page_token continuation_token sync_token pagination_token")
)

// wordSet makes a set of words; those of two words are also known written together.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
		set[strings.ReplaceAll(word, "_", "")] = true
	}
	return set
}

// isSensitiveKey reports whether a normalised name is that of a secret, and not of
// something that is said about one.
func isSensitiveKey(key []byte) bool {
	end := sensitiveEnd(key)
	if end < 0 {
		return false
	}
	for _, first := range describingFirst {
		if hasPrefix(key, first) {
			return false
		}
	}
	for _, token := range pagingTokens {
		if hasSuffix(key, token) && (len(key) == len(token) || key[len(key)-len(token)-1] == '_') {
			return false
		}
	}
	return !describes(key[end:])
}

// sensitiveEnd returns where the last sensitive word ends; -1 if there is none.
func sensitiveEnd(key []byte) int {
	end, before := -1, -1
	for i := 0; i < len(key); {
		stop := len(key)
		if n := bytes.IndexByte(key[i:], '_'); n >= 0 {
			stop = i + n
		}
		word := withoutDigits(key[:stop])
		if len(word) > i && (sensitiveWords[string(word[i:])] || before >= 0 && sensitiveWords[string(word[before:])]) {
			end = stop
		}
		before, i = i, stop+1
	}
	return end
}

// withoutDigits leaves out the number of a word (password2).
func withoutDigits(word []byte) []byte {
	for len(word) > 0 && isDigit(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	return word
}

// describes reports whether what follows a sensitive word says that the value is
// about a secret.
func describes(rest []byte) bool {
	for _, ending := range describing {
		if hasSuffix(rest, ending) {
			return true
		}
	}
	for _, start := range describingStarts {
		if bytes.Contains(rest, []byte(start)) {
			return true
		}
	}
	return false
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

func hasSuffix(b []byte, s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }
