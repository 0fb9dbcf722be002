package io.ballast.dashboard.testing;

import io.ballast.dashboard.source.ConfigurationView;
import java.util.List;
import java.util.Map;

/** A configuration with one listener, three routes and two zones. */
public final class FakeConfiguration implements ConfigurationView {

    @Override
    public Map<String, Object> tree() {
        Map<String, Object> rich = Map.of(
                "match",
                Map.of(
                        "host",
                        List.of("a.example", "b.example"),
                        "path_exact",
                        "/in",
                        "method",
                        "GET",
                        "headers",
                        Map.of("x-debug", Map.of("present", false)),
                        "query",
                        Map.of("v", Map.of("prefix", "2"))),
                "rewrite",
                Map.of("strip", "/api"),
                "split",
                List.of(Map.of("pool", "web", "weight", 95), Map.of("pool", "old", "weight", 5)));
        Map<String, Object> away = Map.of(
                "match", Map.of("path", "/out"), "redirect", Map.of("to", "https://elsewhere.example/", "status", 308));
        return Map.of(
                "event_loops",
                2,
                "dns",
                Map.of(
                        "zones",
                        List.of(
                                Map.of(
                                        "name",
                                        "a.example",
                                        "services",
                                        List.of(Map.of("name", "www")),
                                        "dnssec",
                                        Map.of()),
                                Map.of("name", "b.example", "file", "b.zone", "dnssec", false))),
                "listeners",
                List.of(Map.of(
                        "name",
                        "front",
                        "bind",
                        "127.0.0.1:8000",
                        "protocol",
                        "http",
                        "routes",
                        List.of(rich, away, Map.of("pool", "web")))));
    }

    @Override
    public String yaml() {
        return "event_loops: 2\n";
    }
}
