package io.ballast.config.keys.pool;

import static io.ballast.core.config.RetryConfig.DEFAULT;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.RetryBudgetConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.RetryMethods;
import io.ballast.core.config.RetryOn;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of {@code pools.NAME.retry}. */
final class RetryKeys {

    private static final ShapeBuilder<RetryConfig> KEYS =
            Shape.named("retry", "Conditions and limits for retrying a failed request.");

    private static final Key<RetryOn> ON = KEYS.optional(
            "on",
            ListType.of(RetryConditions.CONDITION).map(RetryConditions::of, RetryConditions::words),
            DEFAULT.on(),
            "failures that cause a retry: connect-failure (any method), reset (before the response began),"
                    + " response-timeout, 5xx, and statuses or ranges such as 429 or 502-504",
            RetryConfig::on);
    private static final Key<RetryMethods> METHODS = KEYS.optional(
            "methods",
            methods(),
            DEFAULT.methods(),
            "methods that may be retried after a backend received the request: idempotent, all, or a list",
            RetryConfig::methods);
    private static final Key<Integer> ATTEMPTS = KEYS.optional(
            "attempts",
            Scalars.integer(1, BackendConnections.MAX_ATTEMPTS),
            DEFAULT.attempts(),
            "maximum number of backends that receive the request, including the first; failed connections"
                    + " do not count",
            RetryConfig::attempts);
    private static final Key<Duration> PER_TRY_TIMEOUT = KEYS.optional(
            "per_try_timeout",
            Durations.DURATION,
            DEFAULT.perTryTimeout(),
            "timeout of each attempt until the response begins; 0s to use response_timeout",
            RetryConfig::perTryTimeout);
    private static final Key<RetryBudgetConfig> BUDGET = KEYS.optional(
            "budget",
            RetryBudgetKeys.BUDGET,
            DEFAULT.budget(),
            "limit of retries relative to all requests",
            RetryConfig::budget);
    private static final Key<Boolean> SAME_BACKEND = KEYS.optional(
            "same_backend",
            Scalars.BOOLEAN,
            DEFAULT.sameBackend(),
            "true: if no other backend is left, a backend that closed the connection gets the request"
                    + " again on another connection",
            RetryConfig::sameBackend);
    private static final Key<Integer> BODY_BUFFER = KEYS.optional(
            "body_buffer",
            Sizes.between(0, RetryConfig.MAX_BODY_BUFFER),
            DEFAULT.bodyBufferBytes(),
            "maximum size of a body buffered for retries; a request that has sent more is not retried",
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
