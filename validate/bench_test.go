package validate_test

import (
	"context"
	"testing"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// scalars has ten scalar fields, the unit that the budget is about.
type scalars struct {
	Query   string  `json:"query" validate:"min=1,max=200"`
	Owner   string  `json:"owner" validate:"required"`
	Color   string  `json:"color" validate:"oneof=red green blue"`
	Limit   int     `json:"limit" validate:"min=1,max=500"`
	Offset  int64   `json:"offset" validate:"gte=0"`
	Port    uint16  `json:"port" validate:"port"`
	Ratio   float64 `json:"ratio" validate:"gte=0,lte=1"`
	Score   float32 `json:"score"`
	Deep    bool    `json:"deep"`
	Verbose bool    `json:"verbose"`
}

type nested struct {
	Name  string   `json:"name" validate:"min=1"`
	Tags  []string `json:"tags" validate:"max=10,dive,min=1"`
	Sizes []int    `json:"sizes"`
	Boxes []box    `json:"boxes" validate:"min=1"`
}

type box struct {
	ID     string  `json:"id" validate:"alphanum"`
	Weight float64 `json:"weight" validate:"gt=0"`
	Parts  []int64 `json:"parts"`
}

const (
	scalarsDoc = `{"query":"owner of the red bicycle","owner":"alice","color":"green","limit":50,"offset":1234567890123,` +
		`"port":8080,"ratio":0.25,"score":1.5,"deep":true,"verbose":false}`
	scalarsBad = `{"query":"","owner":"alice","color":"purple","limit":0,"offset":1234567890123,` +
		`"port":8080,"ratio":0.25,"score":1.5,"deep":true,"verbos":false}`
	nestedDoc = `{"name":"shelf","tags":["a","bc","def"],"sizes":[1,2,3,4,5,6,7,8],` +
		`"boxes":[{"id":"b1","weight":1.5,"parts":[1,2,3]},{"id":"b2","weight":2.5,"parts":[4,5,6]},{"id":"b3","weight":3.5,"parts":[]}]}`
)

func benchmark[T any](b *testing.B, doc string, wantErr bool) {
	c := validate.MustFor[T](nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Decode(jsontext.Value(doc)); (err != nil) != wantErr {
			b.Fatal(err)
		}
	}
}

func BenchmarkScalars(b *testing.B)    { benchmark[scalars](b, scalarsDoc, false) }
func BenchmarkScalarsBad(b *testing.B) { benchmark[scalars](b, scalarsBad, true) }
func BenchmarkNested(b *testing.B)     { benchmark[nested](b, nestedDoc, false) }

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		validate.MustFor[scalars](nil)
	}
}

// sdkDispatch returns a function that calls a tool through the server's own dispatch, without a transport: a
// receiving middleware hands out the SDK's method handler when the first request passes.
func sdkDispatch(b *testing.B, add func(*mcp.Server)) func(doc string) error {
	b.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	add(server)
	var handler mcp.MethodHandler
	var request *mcp.CallToolRequest
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if r, ok := req.(*mcp.CallToolRequest); ok {
				handler, request = next, r
			}
			return next(ctx, method, req)
		}
	})
	here, there := mcp.NewInMemoryTransports()
	ctx := b.Context()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		b.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { session.Close() })
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "t"}); err != nil {
		b.Fatal(err)
	}
	return func(doc string) error {
		call := *request
		call.Params = &mcp.CallToolParamsRaw{Name: "t", Arguments: []byte(doc)}
		res, err := handler(ctx, "tools/call", &call)
		if err == nil && res.(*mcp.CallToolResult).IsError {
			b.Fatalf("%+v", res.(*mcp.CallToolResult).Content[0])
		}
		return err
	}
}

func benchmarkSDK[T any](b *testing.B, doc string) {
	call := sdkDispatch(b, func(s *mcp.Server) {
		mcp.AddTool(s, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, T) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
	})
	b.ReportAllocs()
	for b.Loop() {
		if err := call(doc); err != nil {
			b.Fatal(err)
		}
	}
}

// The SDK's typed tools, to compare with: dispatch, validation and decoding, without any rule.
func BenchmarkSDKScalars(b *testing.B) { benchmarkSDK[scalars](b, scalarsDoc) }
func BenchmarkSDKNested(b *testing.B)  { benchmarkSDK[nested](b, nestedDoc) }

// BenchmarkSDKRaw is the dispatch alone.
func BenchmarkSDKRaw(b *testing.B) {
	call := sdkDispatch(b, func(s *mcp.Server) {
		s.AddTool(&mcp.Tool{Name: "t", InputSchema: validate.MustFor[scalars](nil).Schema()},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
	})
	b.ReportAllocs()
	for b.Loop() {
		if err := call(scalarsDoc); err != nil {
			b.Fatal(err)
		}
	}
}
