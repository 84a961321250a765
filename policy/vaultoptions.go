package policy

// vaultOptions are the options of the vault that a document gives.
type vaultOptions struct {
	Key, KeyEnv, Namespace, File string
	PreviousKeys                 []string
	TTLSeconds, MaxEntries       *int
}

func (v *vaultOptions) fields() []field {
	return []field{
		{key: "key", value: textField{&v.Key}},
		{key: "key_env", value: textField{&v.KeyEnv}},
		{key: "previous_keys", value: textsField{&v.PreviousKeys}},
		{key: "namespace", value: wordField{&v.Namespace, []string{"global", "principal"}}},
		{key: "file", value: textField{&v.File}},
		{key: "ttl_seconds", value: countField{&v.TTLSeconds}},
		{key: "max_entries", value: countField{&v.MaxEntries}},
	}
}

// vault reads the options of the vault.
func (d *Document) vault() (v vaultOptions, err error) {
	if d.Vault == nil {
		return v, nil
	}
	n := nodeOf(d.Vault)
	n.walk("vault", func(path string, n *node) { n.at = d.source.place(path) })
	for i := range n.members {
		n.members[i].at = n.members[i].value.at
	}
	var r reader
	r.object(n, "vault", v.fields())
	return v, r.bad.err()
}
