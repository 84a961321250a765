package mcplayer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type searchArgs struct {
	Query string `json:"query" validate:"min=2" jsonschema:"what to look for"`
	Limit int    `json:"limit" default:"10" validate:"min=1,max=50"`
}

func search(_ context.Context, _ *mcplayer.ToolContext, in searchArgs) ([]string, error) {
	return []string{fmt.Sprintf("%s, at most %d", in.Query, in.Limit)}, nil
}

func Example() {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{
		Name: "search", Description: "Find documents.",
		Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState, // confidential and everything if they are not set
	}, search)

	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		log.Fatal(err)
	}
	defer layer.Close(context.Background()) // lets calls end, then closes what the layer owns
	for _, args := range []map[string]any{{"query": "disks"}, {"limit": 99, "colour": "red"}} {
		res, err := layer.CallTool(context.Background(), "search", args, mcplayer.As(mcplayer.NewPrincipal("ada", "analyst")))
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// {
	//   "result": [
	//     "disks, at most 10"
	//   ]
	// }
	// Invalid arguments: query: required, must be a string; limit: must be 50 or less; colour: unknown argument (known: query, limit)
}

// A layer around a server that exists already: its tools stay as they are.
func ExampleLayer_Mount() {
	server := mcp.NewServer(&mcp.Implementation{Name: "existing", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "crash"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		panic("no longer the end of the process")
	})

	layer, err := mcplayer.New(&mcplayer.Options{Policy: policy.Open(), Logger: silent})
	if err != nil {
		log.Fatal(err)
	}
	if err := layer.Mount(server, nil); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	inner, outer := mcp.NewInMemoryTransports()
	go func() { _ = layer.Run(ctx, server, inner) }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil).Connect(ctx, outer, nil)
	if err != nil {
		log.Fatal(err)
	}
	res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "crash"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	_ = client.Close()
	// Output: Internal error in tool crash
}

// A middleware that refuses some calls and decorates the others.
func ExampleMiddleware() {
	nightlyRest := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if info.Principal.HasRole("contractor") {
			return nil, mcplayer.AccessDenied("Contractors can call tools between 08:00 and 18:00", map[string]any{"hour": 20})
		}
		res, err := next(ctx, info)
		if err == nil {
			res.MetaMap()["example.com/request-label"] = info.Kind.String() + ":" + info.Name
		}
		return res, err
	}
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "search"}, search)
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Middleware: []mcplayer.Middleware{nightlyRest}})
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range []string{"contractor", "analyst"} {
		res, err := layer.CallTool(context.Background(), "search", map[string]any{"query": "disks"}, mcplayer.As(mcplayer.NewPrincipal("ada", role)))
		if err != nil {
			log.Fatal(err)
		}
		delete(res.Meta, "cloudg/duration_ms") // differs from run to run
		meta, err := json.Marshal(res.Meta)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(meta))
	}
	// Output:
	// {"cloudg/error_code":-31001,"cloudg/error_data":{"hour":20}}
	// {"example.com/request-label":"tool:search"}
}
