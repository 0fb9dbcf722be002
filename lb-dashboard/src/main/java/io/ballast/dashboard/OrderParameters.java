package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.pool.Membership;
import io.ballast.dashboard.json.OrderJson;
import io.ballast.dashboard.server.Caller;
import io.ballast.dashboard.server.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What comes with an order, in the query or the body: {@code who}, {@code why}, and where they mean something {@code until},
 * the time from now on, {@code confirm}, {@code weight} and {@code deadline}. What is misspelt must not become an order: everything else is refused.
 */
record OrderParameters(
        String who,
        String why,
        Optional<Duration> until,
        boolean isConfirmed,
        Optional<String> weight,
        Optional<Duration> deadline,
        Optional<Boolean> backup,
        Optional<String> address) {

    private static final String WHO = "who";
    private static final String WHY = "why";
    private static final String UNTIL = "until";
    private static final String CONFIRM = "confirm";
    private static final String WEIGHT = "weight";
    private static final String DEADLINE = "deadline";
    private static final String BACKUP = "backup";
    private static final String ADDRESS = "address";

    /** The weight that gives that of the file back. */
    private static final String OF_FILE = "file";

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final String EXPECTED_WEIGHT = "0 to " + BackendConfig.MAX_WEIGHT + ", or " + OF_FILE;

    /** For who does not say who it is. */
    private static final String NOBODY = "api";

    /** Throws {@link IllegalArgumentException} with what is wrong. */
    static OrderParameters ofOrder(Order.Kind kind, Request request) {
        return of(
                request,
                kind == Order.Kind.DRAIN
                        ? Set.of(WHO, WHY, UNTIL, CONFIRM, DEADLINE)
                        : Set.of(WHO, WHY, UNTIL, CONFIRM));
    }

    /** The same for the end of an order. */
    static OrderParameters ofEnd(Request request) {
        return of(request, Set.of(WHO, WHY));
    }

    /** The same for the maintenance of a pool. */
    static OrderParameters ofMaintenance(Request request) {
        return of(request, Set.of(WHO, WHY, UNTIL));
    }

    /** The same for a weight, which is needed. */
    static OrderParameters ofWeight(Request request) {
        OrderParameters parameters = of(request, Set.of(WHO, WHY, UNTIL, CONFIRM, WEIGHT));
        Checks.that(parameters.weight.isPresent(), WEIGHT, "none", EXPECTED_WEIGHT);
        return parameters;
    }

    /** The same for a backend that is new: its address is needed, a weight and whether it is a backup may be said. */
    static OrderParameters ofAddition(Request request) {
        return of(request, Set.of(WHO, WHY, ADDRESS, WEIGHT, BACKUP));
    }

    /** The same for other settings of a backend, of which one is needed. */
    static OrderParameters ofSettings(Request request) {
        OrderParameters parameters = of(request, Set.of(WHO, WHY, CONFIRM, WEIGHT, BACKUP));
        Checks.that(
                parameters.weight.isPresent() || parameters.backup.isPresent(),
                "parameters",
                "none",
                "weight or backup");
        return parameters;
    }

    /** The same for the end of a backend. */
    static OrderParameters ofRemoval(Request request) {
        return of(request, Set.of(WHO, WHY, CONFIRM));
    }

    /** The same for the end of what was done about one backend, if its address is there, or about all of a pool. */
    static OrderParameters ofReset(Request request) {
        return of(request, Set.of(WHO, WHY, CONFIRM, ADDRESS));
    }

    private static OrderParameters of(Request request, Set<String> known) {
        Map<String, String> values = values(request, known);
        Optional<String> said = Optional.ofNullable(values.get(WHO));
        said.ifPresent(text -> Order.checkTexts(text, /* why= */ ""));
        String who = who(request.caller(), said);
        String why = values.getOrDefault(WHY, "");
        Order.checkTexts(who, why);
        return new OrderParameters(
                who,
                why,
                Optional.ofNullable(values.get(UNTIL)).map(text -> duration(UNTIL, text)),
                truth(CONFIRM, values.getOrDefault(CONFIRM, "false")),
                Optional.ofNullable(values.get(WEIGHT)),
                Optional.ofNullable(values.get(DEADLINE)).map(text -> duration(DEADLINE, text)),
                Optional.ofNullable(values.get(BACKUP)).map(text -> truth(BACKUP, text)),
                Optional.ofNullable(values.get(ADDRESS)));
    }

    /** Who gives an order that has parameters of its own. */
    static String who(Request request) {
        Optional<String> said = QueryParameters.value(request, WHO);
        said.ifPresent(text -> Order.checkTexts(text, /* why= */ ""));
        String who = who(request.caller(), said);
        Order.checkTexts(who, /* why= */ "");
        return who;
    }

    private static boolean truth(String name, String text) {
        Checks.that(text.equals("true") || text.equals("false"), name, "something else", "true or false");
        return text.equals("true");
    }

    /** Who has proved his name signs by it; what else he says of himself is added if there is room. */
    private static String who(Caller caller, Optional<String> said) {
        if (caller.name().isEmpty()) {
            return said.orElse(NOBODY);
        }
        String name = caller.name().get();
        return said.filter(other -> !other.equals(name))
                .map(other -> name + " for " + other)
                .filter(both -> both.length() <= Order.MOST_WHO)
                .orElse(name);
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

    private static Duration duration(String name, String text) {
        Duration duration = DurationText.parse(text);
        Checks.that(
                duration.compareTo(SHORTEST) >= 0 && duration.compareTo(Order.LONGEST) <= 0,
                name,
                text,
                DurationText.of(SHORTEST) + " to " + DurationText.of(Order.LONGEST));
        return duration;
    }

    Order order(Order.Kind kind, Instant now) {
        return new Order(kind, terms(now), deadline.map(now::plus));
    }

    /** Empty where that of the file is to hold again. */
    Optional<WeightOrder> weight(Instant now) {
        return weight.filter(text -> !text.equals(OF_FILE)).map(text -> new WeightOrder(weight(text), terms(now)));
    }

    private static int weight(String text) {
        Checks.that(text.matches("[0-9]{1,9}"), WEIGHT, text, EXPECTED_WEIGHT);
        return Integer.parseInt(text);
    }

    /** What a backend is to be. */
    Membership.Settings settings() {
        return new Membership.Settings(weight.map(OrderParameters::weight), backup);
    }

    /** Who and why. */
    String signed() {
        return Order.signed(who, why);
    }

    OrderTerms terms(Instant now) {
        return new OrderTerms(who, why, now, until.map(now::plus));
    }
}
