// Package vault turns values into pseudonyms of the same shape and back.
//
// A pseudonym is HMAC-SHA256 over namespace, entity, attempt and value, written in
// the shape of the value: an account id becomes another account id, an ARN stays an
// ARN. The same key, namespace, entity and value give the same pseudonym in every
// process. A [Vault] remembers what it issued, and only that turns back.
//
// What has parts is rebuilt part by part, and each part is remembered alone: the
// account inside an ARN is the account of the field beside it, and an ARN that was
// put together from known parts turns back though it was never issued.
//
// A [Store] keeps what is remembered beyond the process, encrypted and
// authenticated.
package vault
