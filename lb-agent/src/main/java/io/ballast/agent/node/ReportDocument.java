package io.ballast.agent.node;

import io.ballast.agent.registry.BackendKey;
import io.ballast.agent.registry.ReportedBackend;
import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.dashboard.server.HttpProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the bodies of requests. Unknown fields are rejected, so that a misspelt field is noticed. */
final class ReportDocument {

    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([0-9.]+)):([0-9]{1,5})");
    private static final Pattern CONTROL = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");
    private static final Set<String> FIELDS = Set.of("pool", "address", "state", "reason", "weight", "weight_percent");
    private static final int MAX_POOL = 200;

    private ReportDocument() {}

    /**
     * Reads the field {@code secret_sha256}.
     *
     * @throws HttpProblem 400 if the body is invalid
     */
    static String secretHash(byte[] body) {
        return text(read(body, Set.of("secret_sha256")), "secret_sha256", "").toLowerCase(java.util.Locale.ROOT);
    }

    /**
     * Reads the backends of a report.
     *
     * @throws HttpProblem 400 if the body is invalid
     */
    static List<ReportedBackend> backends(byte[] body) {
        Map<String, Object> root = read(body, Set.of("backends"));
        if (!(root.get("backends") instanceof List<?> list)) {
            throw HttpProblem.badRequest("backends: missing (expected: a list)");
        }
        List<ReportedBackend> all = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            String where = "backends[" + i + "]";
            if (!(list.get(i) instanceof Map<?, ?> fields)) {
                throw HttpProblem.badRequest(where + ": not an object");
            }
            try {
                all.add(backend(fields));
            } catch (IllegalArgumentException e) {
                throw HttpProblem.badRequest(where + "." + ErrorText.of(e));
            }
        }
        return all;
    }

    private static Map<String, Object> read(byte[] body, Set<String> known) {
        Map<String, Object> root;
        try {
            root = JsonObject.read(body);
        } catch (IOException e) {
            throw HttpProblem.badRequest("the body is not a JSON object");
        }
        try {
            requireKnown(root, known);
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
        return root;
    }

    private static void requireKnown(Map<?, ?> fields, Set<String> known) {
        fields.keySet().forEach(name -> Checks.that(known.contains(name), "field", name, String.join(", ", known)));
    }

    private static ReportedBackend backend(Map<?, ?> fields) {
        requireKnown(fields, FIELDS);
        String pool = text(fields, "pool", "");
        Checks.that(!pool.isEmpty() && pool.length() <= MAX_POOL, "pool", pool, "the name of a pool");
        int percent = number(fields, "weight_percent", 100);
        Checks.between(percent, 1, 100, "weight_percent");
        return new ReportedBackend(
                new BackendKey(pool, address(text(fields, "address", ""))),
                number(fields, "weight", BackendConfig.DEFAULT_WEIGHT),
                state(text(fields, "state", "")),
                reason(text(fields, "reason", "")),
                Math.max(1, Math.round(percent * Backend.ALL_TENTHS / 100f)));
    }

    private static AgentReport.State state(String text) {
        return switch (text) {
            case "up" -> AgentReport.State.UP;
            case "down" -> AgentReport.State.DOWN;
            case "drain" -> AgentReport.State.DRAIN;
            default -> throw new IllegalArgumentException("state: " + text + " (expected: up, down or drain)");
        };
    }

    private static String reason(String text) {
        String line = CONTROL.matcher(text).replaceAll("?");
        return line.substring(0, Math.min(line.length(), ReportedBackend.MAX_REASON));
    }

    private static HostPort address(String text) {
        Matcher parts = ADDRESS.matcher(text);
        Checks.that(parts.matches(), "address", text, "an IP address and a port, such as 10.0.1.5:8080");
        String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
        int port = Integer.parseInt(parts.group(3));
        Checks.between(port, 1, 65535, "port");
        IpAddress address = IpAddress.parse(host);
        return new HostPort(address.toString(), port);
    }

    private static String text(Map<?, ?> fields, String name, String absent) {
        Object value = fields.containsKey(name) ? fields.get(name) : absent;
        Checks.that(value instanceof String, name, String.valueOf(value), "a text");
        return String.valueOf(value);
    }

    private static int number(Map<?, ?> fields, String name, int absent) {
        String text = text(fields, name, String.valueOf(absent));
        Checks.that(text.matches("[0-9]{1,6}"), name, text, "a whole number");
        return Integer.parseInt(text);
    }
}
