package io.ballast.policy.testing;

import io.ballast.core.stats.Counters;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.TestBalancer;
import java.util.List;
import java.util.Locale;

/** Sends requests without a body, each on its own connection, in one version of HTTP. */
public enum HttpRequests {
    HTTP_1 {
        @Override
        public Answer send(TestBalancer balancer, String method, String path, String... headers) {
            StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: a\r\n");
            for (int i = 0; i < headers.length; i += 2) {
                head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            try (RawClient client = balancer.client()) {
                RawResponse response = client.send(head + "\r\n").read();
                return new Answer(response.status(), List.of(response.head().split("\r\n")), response.body());
            }
        }
    },
    HTTP_2 {
        @Override
        public Answer send(TestBalancer balancer, String method, String path, String... headers) {
            String[] lowerCase = headers.clone();
            for (int i = 0; i < headers.length; i += 2) {
                lowerCase[i] = headers[i].toLowerCase(Locale.ROOT);
            }
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                Http2Response response = client.read(client.request(/* ends= */ true, method, path, lowerCase));
                return new Answer(response.status(), response.head(), response.body());
            }
        }
    };

    /**
     * A response.
     *
     * @param head the header lines
     */
    public record Answer(int status, List<String> head, String body) {

        /** Returns the values of all headers with this name. */
        public List<String> headers(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ": ";
            return head.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(line -> line.substring(start.length()))
                    .toList();
        }
    }

    /**
     * Sends a request and returns its response.
     *
     * @param headers names and values, alternating
     */
    public abstract Answer send(TestBalancer balancer, String method, String path, String... headers);

    /** Sends a GET. */
    public Answer get(TestBalancer balancer, String path, String... headers) {
        return send(balancer, "GET", path, headers);
    }

    /** Names a policy. */
    public static NamedPolicy named(String kind, Policy policy) {
        return new NamedPolicy(
                "tested-" + kind, kind, policy, /* dryRun= */ false, new Counters<>(PolicyCounter.class, 2));
    }
}
