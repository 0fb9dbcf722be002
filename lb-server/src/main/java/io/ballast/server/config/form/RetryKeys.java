package io.ballast.server.config.form;

import static io.ballast.core.config.RetryConfig.DEFAULT;

import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.RetryBudgetConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryMethods;
import io.ballast.core.config.RetryOn;
import io.ballast.server.config.key.BriefType;
import io.ballast.server.config.key.Durations;
import io.ballast.server.config.key.Key;
import io.ballast.server.config.key.ListType;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.ShapeBuilder;
import io.ballast.server.config.key.Sizes;
import io.ballast.server.config.key.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code pools.NAME.retry}. */
final class RetryKeys {

    private static final ShapeBuilder<RetryConfig> KEYS =
            Shape.named("retry", "When a request that failed at one backend is tried at another.");

    private static final Key<RetryOn> ON = KEYS.optional(
            "on",
            ListType.of(RetryConditions.CONDITION).map(RetryConditions::of, RetryConditions::words),
            DEFAULT.on(),
            "what makes another try worth while: connect-failure (for any method), reset (before the response began),"
                    + " response-timeout, 5xx, and single statuses or ranges such as 429 or 502-504",
            RetryConfig::on);
    private static final Key<RetryMethods> METHODS = KEYS.optional(
            "methods",
            methods(),
            DEFAULT.methods(),
            "which requests may be sent again after a backend got them: idempotent, all, or a list",
            RetryConfig::methods);
    private static final Key<Integer> ATTEMPTS = KEYS.optional(
            "attempts",
            Scalars.integer(1, BackendConnections.MAX_ATTEMPTS),
            DEFAULT.attempts(),
            "most backends that get the request, the first included; those that cannot be connected to do not count",
            RetryConfig::attempts);
    private static final Key<Duration> PER_TRY_TIMEOUT = KEYS.optional(
            "per_try_timeout",
            Durations.DURATION,
            DEFAULT.perTryTimeout(),
            "how long each may take to begin its response; 0s for response_timeout",
            RetryConfig::perTryTimeout);
    private static final Key<RetryBudgetConfig> BUDGET = KEYS.optional(
            "budget",
            RetryBudgetKeys.BUDGET,
            DEFAULT.budget(),
            "how many requests may be sent again, compared with all",
            RetryConfig::budget);
    private static final Key<Boolean> SAME_BACKEND = KEYS.optional(
            "same_backend",
            Scalars.BOOLEAN,
            DEFAULT.sameBackend(),
            "true: when no other backend is left, those that ended the connection get the request again, on another connection",
            RetryConfig::sameBackend);
    private static final Key<Integer> BODY_BUFFER = KEYS.optional(
            "body_buffer",
            Sizes.between(0, RetryConfig.MAX_BODY_BUFFER),
            DEFAULT.bodyBufferBytes(),
            "how much of a body is kept to be sent again; a request of which more was sent is not tried again",
            RetryConfig::bodyBufferBytes);

    static final Type<RetryConfig> RETRY = KEYS.build(values -> new RetryConfig(
            values.get(ON),
            values.get(METHODS),
            values.get(ATTEMPTS),
            values.get(PER_TRY_TIMEOUT),
            values.get(BUDGET),
            values.get(SAME_BACKEND),
            values.get(BODY_BUFFER)));

    private RetryKeys() {}

    private static Type<RetryMethods> methods() {
        Map<String, RetryMethods> words = new LinkedHashMap<>();
        words.put("idempotent", RetryMethods.IDEMPOTENT);
        words.put("all", RetryMethods.ALL);
        Type<RetryMethods> word = Scalars.choice(words, RetryKeys::word);
        Map<String, String> names = new LinkedHashMap<>();
        List.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "POST", "PATCH")
                .forEach(name -> names.put(name, name));
        Type<RetryMethods> list =
                ListType.atLeastOne(Scalars.choice(names, name -> name)).map(RetryMethods::of, RetryMethods::names);
        return new BriefType<>(word, list, methods -> methods.kind() != RetryMethods.Kind.LISTED);
    }

    private static String word(RetryMethods methods) {
        return methods.kind() == RetryMethods.Kind.ALL ? "all" : "idempotent";
    }
}
