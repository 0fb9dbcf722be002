package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the route table of each listener as text, derived from the expanded configuration. */
public final class RouteTableJson {

    private static final Map<String, String> VALUE_CONDITION_LABELS =
            Map.of("headers", "header", "query", "query", "cookies", "cookie");
    private static final Map<String, String> PATH_CONDITION_LABELS =
            Map.of("path", "path ", "path_exact", "path = ", "path_regex", "path ~ ");

    private RouteTableJson() {}

    /**
     * @param config the expanded configuration, without secrets
     */
    public static void write(JsonWriter json, Map<String, Object> config) {
        json.object(() -> json.array(
                "listeners",
                () -> forEachMap(config.get("listeners"), (order, listener) -> {
                    json.object(() -> {
                        json.field("name", text(listener.get("name")));
                        json.field("bind", text(listener.get("bind")));
                        json.field("protocol", text(listener.get("protocol")));
                        json.array(
                                "routes",
                                () -> forEachMap(
                                        listener.get("routes"), (number, route) -> route(json, number, route)));
                    });
                })));
    }

    private static void route(JsonWriter json, int number, Map<?, ?> route) {
        json.object(() -> {
            json.field("order", number);
            json.array("conditions", () -> conditions(route.get("match")).forEach(json::value));
            json.field("action", action(route));
            json.array("pools", () -> pools(route).forEach(json::value));
            json.field("rewrite", rewrite(route.get("rewrite")));
        });
    }

    /** Returns the conditions of a route, one text each; empty for a route that matches every request. */
    static List<String> conditions(@Nullable Object match) {
        List<String> conditions = new ArrayList<>();
        if (match instanceof Map<?, ?> keys) {
            keys.forEach((key, value) -> {
                String name = text(key);
                if (VALUE_CONDITION_LABELS.containsKey(name) && value instanceof Map<?, ?> wanted) {
                    wanted.forEach((one, like) ->
                            conditions.add(VALUE_CONDITION_LABELS.get(name) + " " + one + formatValueCondition(like)));
                } else {
                    conditions.add(PATH_CONDITION_LABELS.getOrDefault(name, name + " ") + joinAlternatives(value));
                }
            });
        }
        return conditions;
    }

    /** Formats a value condition: a plain text, or one of exact, prefix, regex and present. */
    private static String formatValueCondition(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> keys)) {
            return " = " + text(value);
        }
        if (keys.containsKey("regex")) {
            return " ~ " + text(keys.get("regex"));
        }
        if (keys.containsKey("prefix")) {
            return " = " + text(keys.get("prefix")) + "*";
        }
        if (keys.containsKey("exact")) {
            return " = " + text(keys.get("exact"));
        }
        return Boolean.FALSE.equals(keys.get("present")) ? " absent" : " present";
    }

    private static String joinAlternatives(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(RouteTableJson::text).collect(Collectors.joining(" or "))
                : text(value);
    }

    private static String action(Map<?, ?> route) {
        if (route.get("split") instanceof List<?> shares) {
            return shares.stream()
                    .map(share -> share instanceof Map<?, ?> keys
                            ? text(keys.get("pool")) + " " + text(keys.get("weight"))
                            : text(share))
                    .collect(Collectors.joining(", ", "split ", ""));
        }
        if (route.get("redirect") instanceof Map<?, ?> redirect) {
            return "redirect " + text(redirect.get("status")) + " to " + text(redirect.get("to"));
        }
        if (route.get("respond") instanceof Map<?, ?> respond) {
            return "respond " + text(respond.get("status"));
        }
        if (route.get("files") instanceof Map<?, ?> files) {
            return "files " + text(files.get("root"));
        }
        return "pool " + text(route.get("pool"));
    }

    private static List<String> pools(Map<?, ?> route) {
        if (route.get("split") instanceof List<?> shares) {
            List<String> pools = new ArrayList<>();
            forEachMap(shares, (number, share) -> pools.add(text(share.get("pool"))));
            return pools;
        }
        return route.get("pool") == null ? List.of() : List.of(text(route.get("pool")));
    }

    /** Formats a rewrite, such as {@code strip /api}; empty if the path is unchanged. */
    private static String rewrite(@Nullable Object rewrite) {
        return rewrite instanceof Map<?, ?> keys
                ? keys.entrySet().stream()
                        .map(entry -> text(entry.getKey()) + " " + text(entry.getValue()))
                        .collect(Collectors.joining(", "))
                : "";
    }

    private static void forEachMap(@Nullable Object list, BiConsumer<Integer, Map<?, ?>> item) {
        if (list instanceof List<?> items) {
            int number = 1;
            for (Object each : items) {
                if (each instanceof Map<?, ?> map) {
                    item.accept(number++, map);
                }
            }
        }
    }

    private static String text(@Nullable Object value) {
        return String.valueOf(value);
    }
}
