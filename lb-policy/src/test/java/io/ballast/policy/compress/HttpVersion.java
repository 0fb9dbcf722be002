package io.ballast.policy.compress;

import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import java.util.Arrays;
import java.util.List;

/** The versions of HTTP with which compression is tested. */
enum HttpVersion {
    HTTP_1,
    HTTP_2;

    /**
     * Sends a request on a new connection and reads the whole response.
     *
     * @param headers names in lower case and values, alternating
     */
    ReceivedResponseText fetch(TestBalancer balancer, String method, String... headers) {
        return this == HTTP_1 ? fetch1(balancer, method, headers) : fetch2(balancer, method, headers);
    }

    private static ReceivedResponseText fetch1(TestBalancer balancer, String method, String... headers) {
        try (RawClient client = balancer.client()) {
            client.send(request(method, headers));
            RawResponse response = method.equals("HEAD") ? client.readToHead() : client.read();
            List<String> lines = List.of(response.head().split("\r\n"));
            String raw = response.rawBody();
            int last = raw.lastIndexOf("\r\n0\r\n");
            List<String> trailers = last < 0 || response.header("Transfer-Encoding") == null
                    ? List.of()
                    : Arrays.stream(raw.substring(last + 5).split("\r\n"))
                            .filter(line -> !line.isEmpty())
                            .toList();
            return new ReceivedResponseText(response.status(), lines, response.body(), trailers);
        }
    }

    private static ReceivedResponseText fetch2(TestBalancer balancer, String method, String... headers) {
        try (Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.request(/* ends= */ true, method, "/", headers);
            Http2Response response = client.read(stream);
            if (!response.isComplete()) {
                throw new AssertionError("the stream was reset: " + response.resetCode());
            }
            return new ReceivedResponseText(response.status(), response.head(), response.body(), response.trailers());
        }
    }

    /** Returns the head of an HTTP/1.1 request. */
    static String request(String method, String... headers) {
        StringBuilder head = new StringBuilder(method).append(" / HTTP/1.1\r\nHost: a\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        return head.append("\r\n").toString();
    }
}
