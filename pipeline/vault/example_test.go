package vault_test

import (
	"fmt"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

func Example() {
	v, err := vault.New(&vault.Options{Key: []byte("at least sixteen bytes")})
	if err != nil {
		panic(err)
	}
	arn, _ := v.AppendPseudonym(nil, "ada", "aws_arn", []byte("arn:aws:iam::123456789012:role/admin"))
	fmt.Println(string(arn))
	text, n, _ := v.AppendOriginals(nil, "ada", fmt.Appendf(nil, "may %s do that?", arn))
	fmt.Println(n, string(text))
	fmt.Println(v.Close())
	// Output:
	// arn:aws:iam::381981236156:role/res-553b56a8b1
	// 2 may arn:aws:iam::123456789012:role/admin do that?
	// <nil>
}
