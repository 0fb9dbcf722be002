package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.backend.Order;
import io.ballast.dashboard.json.OrderJson;
import io.ballast.dashboard.server.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What comes with an order, in the query or the body: {@code who}, {@code why}, and where they mean something {@code until},
 * the time from now on, and {@code confirm}. What is misspelt must not become an order: everything else is refused.
 */
record OrderParameters(String who, String why, Optional<Duration> until, boolean isConfirmed) {

    private static final String WHO = "who";
    private static final String WHY = "why";
    private static final String UNTIL = "until";
    private static final String CONFIRM = "confirm";
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** For who does not say who it is. */
    private static final String NOBODY = "api";

    /** Throws {@link IllegalArgumentException} with what is wrong. */
    static OrderParameters ofOrder(Request request) {
        return of(values(request, Set.of(WHO, WHY, UNTIL, CONFIRM)));
    }

    /** The same for the end of an order. */
    static OrderParameters ofEnd(Request request) {
        return of(values(request, Set.of(WHO, WHY)));
    }

    private static OrderParameters of(Map<String, String> values) {
        String who = values.getOrDefault(WHO, NOBODY);
        String why = values.getOrDefault(WHY, "");
        Order.checkTexts(who, why);
        String confirm = values.getOrDefault(CONFIRM, "false");
        Checks.that(confirm.equals("true") || confirm.equals("false"), CONFIRM, "something else", "true or false");
        return new OrderParameters(
                who,
                why,
                Optional.ofNullable(values.get(UNTIL)).map(OrderParameters::duration),
                confirm.equals("true"));
    }

    private static Map<String, String> values(Request request, Set<String> known) {
        Map<String, String> values = new LinkedHashMap<>();
        request.query().forEach((name, all) -> {
            Checks.that(all.size() == 1, name, all.size() + " values", "one");
            values.put(name, all.get(0));
        });
        if (request.body().length > 0) {
            OrderJson.read(request.body()).forEach((name, value) -> {
                String before = values.put(name, value);
                Checks.that(before == null, name, "in the query and in the body", "in one of them");
            });
        }
        values.keySet().forEach(name -> Checks.that(known.contains(name), "parameter", name, "one of " + known));
        return values;
    }

    private static Duration duration(String text) {
        Duration duration = DurationText.parse(text);
        Checks.that(
                duration.compareTo(SHORTEST) >= 0 && duration.compareTo(Order.LONGEST) <= 0,
                UNTIL,
                text,
                DurationText.of(SHORTEST) + " to " + DurationText.of(Order.LONGEST));
        return duration;
    }

    Order order(Order.Kind kind, Instant now) {
        return new Order(kind, who, why, now, until.map(now::plus));
    }
}
