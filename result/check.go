package result

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// isNil reports whether block is nil or a typed nil pointer. The SDK crashes
// on the latter when it encodes a result.
func isNil(block mcp.Content) bool {
	if block == nil {
		return true
	}
	v := reflect.ValueOf(block)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// CheckContent reports the first block that the SDK could not encode: a nil
// one, an embedded resource without contents, or one that holds such a block.
func CheckContent(blocks []mcp.Content) error {
	for i, block := range blocks {
		if err := checkBlock(block); err != nil {
			return fmt.Errorf("content[%d]: %w", i, err)
		}
	}
	return nil
}

func checkBlock(block mcp.Content) error {
	if isNil(block) {
		return errors.New("the block is nil")
	}
	switch b := block.(type) {
	case *mcp.TextContent:
		return CheckMeta(b.Meta)
	case *mcp.ImageContent:
		return CheckMeta(b.Meta)
	case *mcp.AudioContent:
		return CheckMeta(b.Meta)
	case *mcp.ResourceLink:
		return CheckMeta(b.Meta)
	case *mcp.EmbeddedResource:
		if b.Resource == nil {
			return errors.New("the embedded resource has no contents")
		}
		return errors.Join(CheckMeta(b.Meta), CheckMeta(b.Resource.Meta))
	case *mcp.ToolResultContent:
		return errors.Join(CheckMeta(b.Meta), CheckContent(b.Content), checkEncodes("structured content", b.StructuredContent))
	case *mcp.ToolUseContent:
		return errors.Join(CheckMeta(b.Meta), checkEncodes("input", b.Input))
	}
	return nil
}

// CheckContents reports the first contents of a resource that the SDK could not
// encode.
func CheckContents(list []*mcp.ResourceContents) error {
	for i, contents := range list {
		if contents == nil {
			return fmt.Errorf("contents[%d] is nil", i)
		}
		if err := CheckMeta(contents.Meta); err != nil {
			return fmt.Errorf("contents[%d]: %w", i, err)
		}
	}
	return nil
}

// CheckMessages reports the first message of a prompt that the SDK could not
// encode.
func CheckMessages(messages []*mcp.PromptMessage) error {
	return checkEach(messages, func(m *mcp.PromptMessage) error { return checkBlock(m.Content) })
}

// checkEach reports the first message that is nil or fails the check.
func checkEach[M any](messages []*M, check func(*M) error) error {
	for i, m := range messages {
		if m == nil {
			return fmt.Errorf("messages[%d] is nil", i)
		}
		if err := check(m); err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	return nil
}

// CheckRequests reports a request for input that the SDK could not encode.
func CheckRequests(requests mcp.InputRequestMap) error {
	for id, request := range requests {
		if err := checkRequest(request); err != nil {
			return fmt.Errorf("input request %q: %w", id, err)
		}
	}
	return nil
}

func checkRequest(request mcp.InputRequest) error {
	if v := reflect.ValueOf(request); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errors.New("the request is nil")
	}
	switch r := request.(type) {
	case *mcp.ElicitParams:
		return errors.Join(CheckMeta(r.Meta), checkEncodes("requested schema", r.RequestedSchema))
	case *mcp.CreateMessageParams:
		messages := checkEach(r.Messages, func(m *mcp.SamplingMessage) error { return checkBlock(m.Content) })
		return errors.Join(messages, CheckMeta(r.Meta), checkEncodes("metadata", r.Metadata))
	case *mcp.CreateMessageWithToolsParams:
		messages := checkEach(r.Messages, func(m *mcp.SamplingMessageV2) error { return CheckContent(m.Content) })
		return errors.Join(messages, CheckMeta(r.Meta), checkEncodes("metadata", r.Metadata), checkEncodes("tools", r.Tools))
	case *mcp.ListRootsParams:
		return CheckMeta(r.Meta)
	}
	return nil
}

// maxDepth keeps a result, with what the SDK puts around it, below the depth of
// 10,000 at which encoding/json gives up.
const maxDepth = 9_900

// CheckJSON reports why the SDK could not send doc.
func CheckJSON(doc jsontext.Value) error {
	if canonical.Is(doc) { // reports are
		return nil
	}
	if !doc.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return errors.New("not valid JSON")
	}
	return CheckDepth(doc)
}

// CheckDepth reports a valid document that is nested too deep for the SDK.
func CheckDepth(doc jsontext.Value) error {
	if jsondoc.Deeper(doc, maxDepth) {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	return nil
}

// CheckMeta reports the first member of m that cannot be encoded as JSON.
func CheckMeta(m Meta) error {
	for key, value := range m {
		if err := checkMember(value, 0); err != nil {
			return fmt.Errorf("_meta[%q]: %w", key, err)
		}
	}
	return nil
}

// plainLevels is how many levels of objects are looked through. Deeper ones are encoded
// for the check, which also finds those that hold themselves.
const plainLevels = 4

// checkMember spares what reports are made of the work of being encoded.
func checkMember(value any, level int) error {
	switch v := value.(type) {
	case nil, string, bool, int, int64:
		return nil
	case map[string]any:
		if level == plainLevels {
			break
		}
		for _, member := range v {
			if err := checkMember(member, level+1); err != nil {
				return err
			}
		}
		return nil
	}
	return checkEncodable(value)
}

func checkEncodes(what string, value any) error {
	if err := checkEncodable(value); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func checkEncodable(value any) error {
	doc, err := rawJSON(value)
	if err == nil && doc != nil {
		err = CheckJSON(doc)
	}
	return err
}
