package io.ballast.policy.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A browser that stores cookies and does not follow redirects by itself. */
final class TestBrowser {

    private final HttpRequests version;
    private final TestBalancer balancer;
    private final Map<String, String> cookies = new LinkedHashMap<>();

    TestBrowser(HttpRequests version, TestBalancer balancer) {
        this.version = version;
        this.balancer = balancer;
    }

    /** The cookies by name, which the test may change. */
    Map<String, String> cookies() {
        return cookies;
    }

    /** Loads a page for the user. */
    Answer open(String path, String... headers) {
        List<String> all = new ArrayList<>(List.of("Accept", "text/html,*/*", "Sec-Fetch-Mode", "navigate"));
        all.addAll(List.of(headers));
        return send("GET", path, all.toArray(String[]::new));
    }

    Answer send(String method, String path, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!cookies.isEmpty()) {
            all.add("Cookie");
            all.add(cookies.entrySet().stream()
                    .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                    .collect(Collectors.joining("; ")));
        }
        Answer answer = version.send(balancer, method, path, all.toArray(String[]::new));
        answer.headers("Set-Cookie").forEach(this::store);
        return answer;
    }

    private void store(String line) {
        String pair = line.substring(0, line.indexOf(';'));
        int equals = pair.indexOf('=');
        if (line.contains("Max-Age=0;")) {
            cookies.remove(pair.substring(0, equals));
        } else {
            cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
    }

    /** Opens a page, logs in at the provider, and returns the answer of the callback. */
    Answer logIn(ScriptedProvider provider, String path) {
        return send("GET", provider.authorize(location(open(path))));
    }

    /** The address of a redirect. */
    static String location(Answer answer) {
        assertThat(answer.status()).isBetween(300, 399);
        assertThat(answer.headers("Location")).hasSize(1);
        return answer.headers("Location").get(0);
    }
}
