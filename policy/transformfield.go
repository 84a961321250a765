package policy

// transformsField is a list of steps: names of types, or objects with type, id and options,
// which may also stand beside them.
type transformsField struct{ to *[]Transform }

func (f transformsField) read(r *reader, n *node, path string) {
	list := []Transform{}
	r.elements(n, path, func(n *node, path string) {
		list = append(list, readTransform(r, n, path))
	})
	*f.to = list
}

func readTransform(r *reader, n *node, path string) (t Transform) {
	if n.kind != objectNode {
		if t.Type, _ = r.scalar(n, path); n.kind == textNode && t.Type == "" {
			r.wrong(n, path, "the type is empty")
		}
		return t
	}
	options := map[string]any{}
	for _, m := range n.members {
		switch where := under(path, m.key); m.key {
		case "type":
			t.Type, _ = r.scalar(m.value, where)
		case "id":
			t.ID, _ = r.scalar(m.value, where)
		case "options":
			if m.value.kind != nullNode {
				inner := map[string]any{}
				optionsField{&inner}.read(r, m.value, where)
				addOptions(r, m.value, where, options, inner)
			}
		default:
			addOptions(r, m.value, path, options, map[string]any{m.key: m.value.anything()})
		}
	}
	if t.Type == "" {
		r.wrong(n, path, "type is missing")
	}
	if len(options) > 0 {
		t.Options = options
	}
	return t
}

func addOptions(r *reader, n *node, path string, to, from map[string]any) {
	for key, value := range from {
		if _, ok := to[key]; ok {
			r.wrong(n, under(path, key), "stands both under options and beside them")
		}
		to[key] = value
	}
}

func (f transformsField) write() *node {
	return listOf(*f.to, func(t Transform) *node {
		if t.ID == "" && len(t.Options) == 0 {
			return textOf(t.Type)
		}
		return writeFields([]field{
			{key: "type", value: textField{&t.Type}},
			{key: "id", value: textField{&t.ID}},
			{key: "options", value: optionsField{&t.Options}},
		})
	})
}
