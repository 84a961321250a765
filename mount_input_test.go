package mcplayer_test

import (
	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *contractSite) addAsking(reg *mcplayer.Registry) {}
func (s *contractSite) addHostAsking(server *mcp.Server) {}
