package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The pages of docs that describe how to use each object of a configuration. */
final class KeyGuides {

    private static final Path DOCS = ConfigFiles.ROOT.resolve("docs");

    /** The names of the objects that each page describes. */
    private static final Map<String, List<String>> OBJECTS_BY_PAGE = Map.ofEntries(
            Map.entry("guides/https.md", List.of("listener_tls", "tls", "client_certificate", "hsts", "backend_tls")),
            Map.entry("guides/headers.md", List.of("headers", "header_changes", "request_id")),
            Map.entry("guides/client-address.md", List.of("forwarding", "proxy_protocol")),
            Map.entry("policies.md", List.of("policy")),
            Map.entry("guides/rate-limits.md", List.of("rate_limit")),
            Map.entry("guides/ip-lists.md", List.of("ip_policy")),
            Map.entry("guides/basic-authentication.md", List.of("basic_policy")),
            Map.entry("guides/api-keys.md", List.of("api_keys_policy", "api_key")),
            Map.entry("guides/client-certificates.md", List.of("client_cert_policy")),
            Map.entry("guides/forward-auth.md", List.of("forward_auth")),
            Map.entry("guides/cors.md", List.of("cors")),
            Map.entry("guides/security-headers.md", List.of("security_headers")),
            Map.entry("guides/jwt.md", List.of("jwt", "token_place")),
            Map.entry("guides/single-sign-on.md", List.of("oidc", "oidc_cookie")),
            Map.entry("guides/compression.md", List.of("compress")),
            Map.entry("guides/tracing.md", List.of("tracing", "otlp")),
            Map.entry("guides/java-filters.md", List.of("filter")),
            Map.entry("guides/cache.md", List.of("cache")),
            Map.entry("guides/acme.md", List.of("acme")),
            Map.entry("guides/concurrency-limits.md", List.of("concurrency_policy", "pool_concurrency")),
            Map.entry("guides/circuit-breakers.md", List.of("circuit_breaker")),
            Map.entry("guides/error-pages.md", List.of("error_page")),
            Map.entry("guides/mirroring.md", List.of("mirror")),
            Map.entry("guides/static-files.md", List.of("files")),
            Map.entry("guides/canary.md", List.of("share")),
            Map.entry("guides/session-affinity.md", List.of("sticky_cookie", "hash_key")),
            Map.entry("guides/health-checks.md", List.of("health")),
            Map.entry(
                    "guides/retries.md",
                    List.of("deadlines", "minimum_rate", "connections", "queue", "retry", "budget", "outlier")),
            Map.entry("guides/maintenance.md", List.of("maintenance")),
            Map.entry("guides/agents.md", List.of("agents", "pool_agents", "agent_token")),
            Map.entry("guides/cluster.md", List.of("cluster", "cluster_tls")),
            Map.entry("guides/tcp-udp.md", List.of("session")),
            Map.entry("guides/unix-sockets.md", List.of("socket")),
            Map.entry("guides/regions.md", List.of("geo", "region")),
            Map.entry("guides/encrypted-dns.md", List.of("dns_listener", "dns_tcp")),
            Map.entry("guides/dnssec.md", List.of("dnssec")),
            Map.entry("guides/dashboard.md", List.of("dashboard", "dashboard_user", "dashboard_token")),
            Map.entry("guides/monitoring.md", List.of("probes")),
            Map.entry("guides/migrate-from-divisor.md", List.of("short_form")),
            Map.entry("routing.md", List.of("route", "match", "value", "rewrite", "redirect", "respond")),
            Map.entry("strategies.md", List.of("strategy", "latency")),
            Map.entry("discovery.md", List.of("discover")),
            Map.entry("logs.md", List.of("access_log", "log")),
            Map.entry("resources.md", List.of("limits")),
            Map.entry(
                    "dns.md",
                    List.of(
                            "dns",
                            "zone",
                            "service",
                            "record",
                            "target",
                            "ttl",
                            "when_all_down",
                            "https",
                            "dns_transfer",
                            "secondary",
                            "dns_update")),
            Map.entry(
                    "forwarder.md",
                    List.of(
                            "dns_forward",
                            "dns_route",
                            "dns_client_subnet",
                            "dns_cache",
                            "dns_filter",
                            "dns_list",
                            "dns_rewrite",
                            "dns_group",
                            "dns_query_log")));

    /** The pages of keys whose values are not objects, such as lists. */
    private static final Map<String, String> PAGE_BY_KEY =
            Map.of("policy.any", "guides/combine-authentication.md", "policy.all", "guides/combine-authentication.md");

    /** The objects whose tables link each key to the page about its value. */
    private static final Set<String> WITH_LINKS = Set.of("policy", "route", "long_form");

    private final Map<String, String> linkByObject = new TreeMap<>();

    KeyGuides() {
        for (Map.Entry<String, List<String>> page : OBJECTS_BY_PAGE.entrySet()) {
            for (String object : page.getValue()) {
                assertThat(linkByObject.put(object, link(page.getKey())))
                        .as(object)
                        .isNull();
            }
        }
    }

    private static String link(String page) {
        String title = ConfigFiles.text(DOCS.resolve(page))
                .lines()
                .findFirst()
                .orElseThrow()
                .substring("# ".length());
        return "[" + title + "](../" + page + ")";
    }

    /**
     * Returns a link to the page about the value of a key; empty if there is no such page, or if the page about the
     * object is the same.
     */
    String link(Shape<?> shape, Key<?> key) {
        if (!WITH_LINKS.contains(shape.name())) {
            return "";
        }
        String page = PAGE_BY_KEY.get(shape.name() + "." + key);
        return Stream.concat(
                        Optional.ofNullable(page).map(KeyGuides::link).stream(),
                        KeyExamples.nested(key).stream()
                                .map(inner -> linkByObject.get(inner.name()))
                                .filter(Objects::nonNull))
                .filter(link -> !link.equals(linkByObject.get(shape.name())))
                .findFirst()
                .map(link -> " (see " + link + ")")
                .orElse("");
    }

    /** Returns the names of all objects that have a page. */
    Set<String> objects() {
        return linkByObject.keySet();
    }

    /** Returns a sentence with a link to the page about an object; empty if there is none. */
    String sentence(String object) {
        String link = linkByObject.get(object);
        return link == null ? "" : " See " + link + ".";
    }
}
