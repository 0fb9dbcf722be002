package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.List;

/**
 * Sends each head that the scanner rejects to a listener. The listener must respond and close the connection, and
 * nothing may reach a backend.
 */
class FaultyRequestTest {

    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void getsExpectedStatusAndReachesNoBackend(TransportKind transport) throws Exception {
        List<Object[]> faulty = RequestScannerFaultsTest.rejectsFaultyHead()
                .map(arguments -> arguments.get())
                .toList();
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (Object[] each : faulty) {
                int status = ((HeadError) each[0]).status;
                try (RawClient client = balancer.client()) {
                    String answer = client.send(each[1] + SMUGGLED).readToEnd();

                    assertThat(answer).as("%s", each[1]).startsWith("HTTP/1.1 " + status + " ");
                    assertThat(answer).contains("Connection: close\r\n").containsOnlyOnce("HTTP/1.1");
                }
            }

            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(faulty.size());
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(faulty.size());
        }
    }

    @EachTransport
    void getsSameStatusByteByByte(TransportKind transport) throws Exception {
        List<Object[]> faulty = RequestScannerFaultsTest.rejectsFaultyHead()
                .map(arguments -> arguments.get())
                .filter(each -> each[1].toString().length() < 60)
                .toList();
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            for (Object[] each : faulty) {
                int status = ((HeadError) each[0]).status;
                try (RawClient client = balancer.client()) {
                    String answer = client.sendSlowly(each[1].toString()).readToEnd();

                    assertThat(answer).as("%s", each[1]).startsWith("HTTP/1.1 " + status + " ");
                    assertThat(answer).containsOnlyOnce("HTTP/1.1");
                }
            }
            assertThat(backend.connections()).isZero();
        }
    }

    @EachTransport
    void validRequestIsForwardedUnchanged(TransportKind transport) throws Exception {
        List<String> requests = List.of(
                "GET /a/../%2F//./b%00?c=%zz&d=/.. HTTP/1.1\r\nhOsT: A.b:80\r\nX:  y \t\r\nx: y\r\n\r\n",
                "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\nCookie: a=\u00e4\r\nCookie: b=\"c,d\"\r\n\r\n",
                "M-SEARCH / HTTP/1.1\r\nHost: a%20b\r\nExpect: nothing\r\nTrailer: t\r\nVia: 1.0 x\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTRANSFER-encoding:chunked\r\n\r\n3;a=b;c;d=\"e \\\"f\"\r\nabc\r\n000\r\nT: u\r\nt: v\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n\r\n\0");
        try (TestBackend backend = TestBackend.playing(Script.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            for (String request : requests) {
                assertThat(client.send(request).read().body()).isEqualTo(request);
            }
            // Empty lines before a request are skipped, in any segmentation.
            assertThat(client.send("\r\n\r\n" + requests.get(0)).read().body()).isEqualTo(requests.get(0));
            assertThat(client.send("\r\n", "\r", "\n", requests.get(0)).read().body())
                    .isEqualTo(requests.get(0));
            assertThat(backend.connections()).isEqualTo(1);
        }
    }
}
