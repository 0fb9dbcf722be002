// A gRPC backend that echoes the payload of unary calls, and a client that makes one such call.
//
// Usage: grpc serve COUNT-PORT PORT...   (http://127.0.0.1:COUNT-PORT/served returns the number of answered calls)
//
//	grpc call PORT
package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	calls "google.golang.org/grpc/interop/grpc_testing"
)

const loopback = "127.0.0.1:"

type service struct {
	calls.UnimplementedBenchmarkServiceServer
	served atomic.Int64
}

func (s *service) UnaryCall(_ context.Context, in *calls.SimpleRequest) (*calls.SimpleResponse, error) {
	s.served.Add(1)
	return &calls.SimpleResponse{Payload: in.Payload}, nil
}

func main() {
	var err error
	switch {
	case len(os.Args) > 3 && os.Args[1] == "serve":
		err = serve(os.Args[2], os.Args[3:])
	case len(os.Args) == 3 && os.Args[1] == "call":
		err = call(os.Args[2])
	default:
		err = fmt.Errorf("usage: grpc serve COUNT-PORT PORT... | grpc call PORT")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(countPort string, ports []string) error {
	ours := &service{}
	server := grpc.NewServer()
	calls.RegisterBenchmarkServiceServer(server, ours)
	for _, port := range ports {
		listener, err := net.Listen("tcp", loopback+port)
		if err != nil {
			return err
		}
		go server.Serve(listener)
	}
	http.HandleFunc("/served", func(answer http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(answer, ours.served.Load())
	})
	return http.ListenAndServe(loopback+countPort, nil)
}

func call(port string) error {
	connection, err := grpc.NewClient(loopback+port, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	sent := &calls.SimpleRequest{Payload: &calls.Payload{Body: []byte("ballast")}}
	got, err := calls.NewBenchmarkServiceClient(connection).UnaryCall(ctx, sent)
	if err != nil {
		return err
	}
	if !bytes.Equal(got.GetPayload().GetBody(), sent.Payload.Body) {
		return fmt.Errorf("sent %q, got %q", sent.Payload.Body, got.GetPayload().GetBody())
	}
	return nil
}
