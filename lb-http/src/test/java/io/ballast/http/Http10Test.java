package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;

class Http10Test {

    @EachTransport
    void connectionClosesWithoutKeepAlive(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hi"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.0\r\nX: y\r\n\r\n");

            assertThat(RawResponse.undated(client.readToEnd()))
                    .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
            assertThat(backend.nextRequest())
                    .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: " + backend.address() + "\r\n\r\n");
        }
    }

    @EachTransport
    void keepAliveIsConfirmed(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hi"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .respond("/fixed", 200, "f")
                        .start();
                RawClient client = balancer.client()) {
            for (String path : new String[] {"/", "/fixed", "/"}) {
                client.send("GET " + path + " HTTP/1.0\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n");
                assertThat(client.read().header("Connection")).isEqualTo("keep-alive");
            }
        }
    }

    @EachTransport
    void chunkedResponseBecomesConnectionDelimited(TransportKind transport) throws Exception {
        String response =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: u\r\n\r\n";
        Script slowly = connection -> {
            connection.readRequest();
            for (String b : response.split("")) {
                connection.send(b);
            }
        };
        try (TestBackend backend = TestBackend.playing(Script.answer(response), slowly);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start()) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = balancer.client()) {
                    client.send("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");

                    assertThat(RawResponse.undated(client.readToEnd()))
                            .isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcde");
                }
            }
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @EachTransport
    void truncatedChunksCauseReset(TransportKind transport) throws Exception {
        String part = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(part));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.0\r\n\r\n");

            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.RESET);
        }
    }

    @EachTransport
    void http10BackendResponseIsForwardedAsHttp11(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answerAndClose("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
                        Script.answer("HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                                .read()
                                .undated())
                        .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
            }
            assertThat(backend.connections()).isEqualTo(2);
        }
    }

    @EachTransport
    void errorResponseClosesConnection(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose("junk\r\n\r\n"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(502);
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
        }
    }
}
