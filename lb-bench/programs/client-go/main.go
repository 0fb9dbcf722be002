// Go's net/http as a client; see ../clients/README.md.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const timeout = 60 * time.Second

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(words []string) error {
	if len(words) != 4 {
		return fmt.Errorf("usage: client-go URL VERSION AUTHORITY SIZES")
	}
	url, version, authority, sizes := words[0], words[1], words[2], words[3]
	client, err := newClient(version, authority)
	if err != nil {
		return err
	}
	for _, word := range strings.Split(sizes, ",") {
		size, err := strconv.Atoi(word)
		if err != nil {
			return err
		}
		spoken, got, err := read(client.Get(url + "/" + word))
		if err != nil {
			return err
		}
		_, answer, err := read(client.Post(url+"/digest", "application/octet-stream", bytes.NewReader(pattern(size))))
		if err != nil {
			return err
		}
		fmt.Printf("%s %x %s\n", spoken, sha256.Sum256(got), answer)
	}
	return nil
}

func newClient(version, authority string) (*http.Client, error) {
	pem, err := os.ReadFile(authority)
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(pem)
	protocols := new(http.Protocols)
	if version == "2" {
		protocols.SetHTTP2(true)
		protocols.SetUnencryptedHTTP2(true)
	} else {
		protocols.SetHTTP1(true)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, Protocols: protocols}
	return &http.Client{Transport: transport, Timeout: timeout}, nil
}

func read(response *http.Response, err error) (string, []byte, error) {
	if err != nil {
		return "", nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", nil, fmt.Errorf("%s: %s", response.Request.URL, response.Status)
	}
	body, err := io.ReadAll(response.Body)
	return response.Proto, body, err
}

func pattern(size int) []byte {
	body := make([]byte, size)
	for i := range body {
		body[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return body
}
