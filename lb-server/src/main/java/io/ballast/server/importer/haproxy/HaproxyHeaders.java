package io.ballast.server.importer.haproxy;

import io.ballast.server.importer.Directive;
import io.ballast.server.importer.ImportReport;
import io.ballast.server.importer.NoEqualException;
import io.ballast.server.importer.Options;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code http-request} and {@code http-response} rules that change headers of all messages of a listener or a pool. */
final class HaproxyHeaders {

    /** What says who the client is, as {@code forwarding_headers} calls it. */
    private static final Set<String> FORWARDING =
            Set.of("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port");

    private HaproxyHeaders() {}

    /** Whether a rule is one of those. */
    static boolean isOne(Directive rule) {
        return switch (rule.word(1)) {
            case "set-header", "add-header", "del-header" -> true;
            default -> false;
        };
    }

    /** Whether it sets one of the headers that tell a backend about the client. */
    static boolean isForwarding(Directive rule) {
        return rule.name().equals("http-request")
                && rule.word(1).equals("set-header")
                && FORWARDING.contains(rule.word(2).toLowerCase(Locale.ROOT));
    }

    /** Has a listener tell backends about its clients. */
    static void forwarding(Directive rule, Options listener, ImportReport report) {
        listener.addTo("forwarding_headers", rule.word(2).toLowerCase(Locale.ROOT));
        report.changed(rule, "forwarding_headers: what the balancer sees, on every listener that leads there");
    }

    /** Writes an unconditional rule to a listener's or a pool's options. */
    static void unconditional(Directive rule, Options options, ImportReport report) throws NoEqualException {
        String direction = rule.name().equals("http-request") ? "request" : "response";
        String header = rule.word(2);
        switch (rule.word(1)) {
            case "del-header" -> options.addTo("headers." + direction + ".remove", header);
            case "set-header" -> {
                if (header.equalsIgnoreCase("host")) {
                    throw new NoEqualException("pools.NAME.host");
                }
                options.putIn("headers." + direction + ".set", header, HaproxyFormat.header(rule.word(3)));
            }
            default -> options.putIn("headers." + direction + ".add", header, HaproxyFormat.header(rule.word(3)));
        }
        report.translated(
                rule, direction.equals("request") ? List.of() : List.of("also in responses of the balancer itself"));
    }

    /** Returns the words from {@code if} or {@code unless} on. */
    static List<String> condition(Directive rule) {
        for (int i = 1; i < rule.words().size(); i++) {
            if (rule.word(i).equals("if") || rule.word(i).equals("unless")) {
                return rule.words().subList(i, rule.words().size());
            }
        }
        return List.of();
    }
}
