package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.ResponseLimits;
import io.ballast.core.testing.Connections;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.List;
import java.util.concurrent.CountDownLatch;

class HostileBackendTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void malformedHeadCauses502(TransportKind transport) throws Exception {
        List<String> heads = List.of(
                "junk\r\n\r\n",
                "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "junk HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                " HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\njunk\r\n\r\n",
                "HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\nok",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "\u0016\u0003\u0003\0\u0001x",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nSet-Cookie: a=b\r\n\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 099 No\r\n\r\n",
                "HTTP/1.1 200 O\0K\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\r\nX: y\r\n z\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: y\rz\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX y: z\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
                "HTTP/1.1 200 OK\r\nX: " + "y".repeat(70_000) + "\r\n\r\n",
                "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(600) + "\r\n",
                "HTTP/1.1 200 OK\r\n" + ("X: " + "y".repeat(5_000) + "\r\n").repeat(20));
        try (TestBackend backend =
                        TestBackend.playing(heads.stream().map(Script::answer).toArray(Script[]::new));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (String head : heads) {
                try (RawClient client = balancer.client()) {
                    RawResponse answer = client.send(GET).read();
                    while (answer.status() == 100) {
                        answer = client.read();
                    }
                    assertThat(answer.status()).as(head).isEqualTo(502);
                    assertThat(answer.header("Connection")).as(head).isEqualTo("close");
                    assertThat(client.awaitEnd()).as(head).isEqualTo(RawClient.Ending.CLOSED);
                }
                backend.awaitConnectionEnd();
            }

            assertThat(backend.requests()).hasSameSizeAs(heads);
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(heads.size());
            assertThat(balancer.count(BackendCounter.FAILED_BAD_RESPONSE)).isEqualTo(heads.size());
        }
    }

    @EachTransport
    void informationalResponsesAreLimited(TransportKind transport) throws Exception {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        for (int pipelining : new int[] {1, 4}) {
            try (TestBackend backend = TestBackend.playing(
                            Script.answer(hints.repeat(100) + ok),
                            Script.answer(hints.repeat(100) + ok),
                            Script.answer(hints.repeat(101) + ok));
                    TestBalancer balancer = BalancerSetup.on(transport)
                            .backend(backend)
                            .loops(1)
                            .connections(new Connections().pipelining(pipelining))
                            .start();
                    RawClient client = balancer.client()) {
                for (int status : new int[] {200, 200, 502}) {
                    client.send(GET);
                    for (int i = 0; i < 100; i++) {
                        assertThat(client.read().undated()).isEqualTo(hints);
                    }
                    assertThat(client.read().status()).isEqualTo(status);
                }

                assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED);
                backend.awaitConnectionEnd();
                assertThat(backend.requests()).hasSize(3);
                assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
            }
        }
    }

    @EachTransport
    void endlessHeadTimesOut(TransportKind transport) throws Exception {
        Script endless = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\n");
            while (true) {
                connection.send("X-Header: value\r\n".repeat(10)); // sends until the balancer closes the connection
            }
        };
        Script endlessLine = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nX: ");
            while (true) {
                connection.send("value ");
            }
        };
        try (TestBackend backend = TestBackend.playing(endless, endlessLine);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (int i = 0; i < 2; i++) {
                try (RawClient client = balancer.client()) {
                    assertThat(client.send(GET).read().status()).isEqualTo(502);
                }
                backend.awaitConnectionEnd();
            }
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(2);
        }
    }

    @EachTransport
    void closedConnectionCauses502(TransportKind transport) throws Exception {
        String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(""), Script.answerAndReset(""));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(post).read().status()).isEqualTo(502);
            assertThat(client.send(post).read().status()).isEqualTo(502);
            assertThat(backend.requests()).containsExactly(post, post);
        }
    }

    @EachTransport
    void framingOfBodilessResponseIsRemoved(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nevil"),
                        Script.answer("HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"),
                        Script.answer("HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nevil"),
                        Script.ok("good"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().undated()).isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
            assertThat(client.send(GET).read().undated()).isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
            assertThat(client.send(GET).read().undated())
                    .isEqualTo("HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n");
            assertThat(client.send(GET).read().body()).isEqualTo("good");
        }
    }

    @EachTransport
    void laterSecondResponseIsDiscarded(TransportKind transport) throws Exception {
        Script twice = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(twice, Script.ok("good"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("ok");
            backend.awaitConnectionEnd();

            assertThat(client.send(GET).read().body()).isEqualTo("good");
        }
    }

    @EachTransport
    void truncatedHeadCauses502(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose("HTTP/1.1 200 OK\r\nContent-Len"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {

            assertThat(client.send(GET).read().status()).isEqualTo(502);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    @EachTransport
    void truncatedBodyIsVisibleToClient(TransportKind transport) throws Exception {
        List<String> cut = List.of(
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n");
        try (TestBackend backend = TestBackend.playing(
                        cut.stream().map(Script::answerAndClose).toArray(Script[]::new));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (String response : cut) {
                try (RawClient client = balancer.client()) {
                    String came = client.send(GET).readToEnd();
                    assertThat(response).startsWith(RawResponse.undated(came));
                }
            }
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(cut.size());
            assertThat(balancer.count(BackendCounter.FAILED_RESET)).isEqualTo(cut.size());
        }
    }

    @EachTransport
    void resetBodyIsIncomplete(TransportKind transport) throws Exception {
        Script resetting = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\n\r\nabc");
            connection.readRequest(); // no request arrives; keeps the connection open until the test resets it
        };
        try (TestBackend backend = TestBackend.playing(resetting);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            client.readHead();
            assertThat(client.readExactly(3)).isEqualTo("abc");

            backend.resetConnections();

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            assertThat(balancer.count(Failure.RESPONSE_CUT)).isEqualTo(1);
        }
    }

    @EachTransport
    void malformedChunkCutsResponse(TransportKind transport) throws Exception {
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        Script hanging = connection -> {
            connection.readRequest();
            connection.send(head);
            connection.awaitClose();
        };
        try (TestBackend backend = TestBackend.playing(hanging);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET);
            assertThat(RawResponse.undated(client.readHead())).isEqualTo(head);

            backend.sendToAll("3\r\nabcd\r\n0\r\n\r\n");

            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.CLOSED);
            backend.awaitConnectionEnd();
            assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
        }
    }

    @EachTransport
    void tooLongChunkExtensionCauses502(TransportKind transport) throws Exception {
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (int pipelining : new int[] {1, 4}) {
            CountDownLatch halfCame = new CountDownLatch(1);
            Script inPieces = connection -> {
                connection.readRequest();
                connection.send(head + "1;x=" + "y".repeat(1_000));
                connection.await(halfCame);
                connection.send("y".repeat(50_000) + "\r\na\r\n0\r\n\r\n");
                connection.awaitClose();
            };
            try (TestBackend backend = TestBackend.playing(Script.ok("first"), inPieces);
                    TestBalancer balancer = BalancerSetup.on(transport)
                            .backend(backend)
                            .connections(new Connections().pipelining(pipelining))
                            .loops(1)
                            .start();
                    RawClient client = balancer.client()) {
                long before = client.send(GET).read().undated().length();
                client.send(GET);
                balancer.await("half of it has come", () -> balancer.count(BackendCounter.BYTES_FROM) > before + 1_000);
                halfCame.countDown();

                assertThat(client.read().status()).isEqualTo(502);
                assertThat(balancer.count(Failure.BAD_RESPONSE)).isEqualTo(1);
            }
        }
    }

    @EachTransport
    void firstChunkSizeMayBeFragmented(TransportKind transport) throws Exception {
        String response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n";
        Script slowly = connection -> {
            connection.readRequest();
            for (int at = 0; at < response.length(); at += 7) {
                connection.send(response.substring(at, Math.min(at + 7, response.length())));
            }
        };
        try (TestBackend backend = TestBackend.playing(slowly);
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().undated()).isEqualTo(response);
            assertThat(client.send(GET).read().undated()).isEqualTo(response);
        }
    }

    @EachTransport
    void headLengthIsLimitedByPool(TransportKind transport) throws Exception {
        String response = "HTTP/1.1 200 OK\r\nX: " + "y".repeat(30_000) + "\r\nContent-Length: 2\r\n\r\nok";
        for (ResponseLimits limits : List.of(ResponseLimits.DEFAULT, new ResponseLimits(8192, 8192, 65_536, 500))) {
            try (TestBackend backend = TestBackend.playing(Script.answer(response));
                    TestBalancer balancer = BalancerSetup.on(transport)
                            .backend(backend)
                            .connections(new Connections().responseLimits(limits))
                            .start();
                    RawClient client = balancer.client()) {
                int status = client.send(GET).read().status();

                assertThat(status).isEqualTo(limits.equals(ResponseLimits.DEFAULT) ? 200 : 502);
            }
        }
    }

    @EachTransport
    void bytesAfterResponseAreDiscarded(TransportKind transport) throws Exception {
        String evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
        try (TestBackend backend = TestBackend.playing(
                        Script.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + evil),
                        Script.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + evil),
                        Script.answer("HTTP/1.1 204 No Content\r\n\r\n" + evil),
                        Script.ok("good"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("ok");
            assertThat(other.send(GET).read().body()).isEmpty();
            assertThat(client.send(GET).read().status()).isEqualTo(204);
            assertThat(other.send(GET).read().body()).isEqualTo("good");
            assertThat(backend.connections()).isEqualTo(4);
        }
    }

    @EachTransport
    void unsolicitedResponseClosesIdleConnection(TransportKind transport) throws Exception {
        Script chatty = connection -> {
            connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            connection.readHead(); // throws, because the balancer closes a connection with unsolicited data
        };
        try (TestBackend backend = TestBackend.playing(chatty, Script.ok("good"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).loops(1).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("ok");

            backend.sendToAll("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
            backend.awaitConnectionEnd();

            assertThat(client.send(GET).read().body()).isEqualTo("good");
        }
    }
}
