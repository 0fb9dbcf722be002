package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.control.UnavailableException;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.CertificateRevoker;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Revokes certificates that were ordered by ACME. */
final class CertificateRoutes {

    private static final String PATH = "/api/v1/certificates/revoke";
    private static final Set<String> PARAMETERS = Set.of("name", "reason", "who");
    private static final String DEFAULT_REASON = "unspecified";
    private static final int MAX_NAME_LENGTH = 255;
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?([a-z0-9-]{1,63}\\.){1,126}[a-z0-9-]{1,63}");

    private final CertificateRevoker revoker;
    private final AsyncResponses replies;
    private final Duration timeout;

    /** @param timeout the longest time until a response; shorter than the timeout of {@code lb acme revoke} */
    CertificateRoutes(CertificateRevoker revoker, AsyncResponses replies, Duration timeout) {
        this.revoker = revoker;
        this.replies = replies;
        this.timeout = timeout;
    }

    void addTo(Router router) {
        router.command(PATH, request -> AsyncResponses.runOrBadRequest(() -> revoke(request)));
    }

    private AdminResponse revoke(Request request) {
        request.query()
                .keySet()
                .forEach(given -> Checks.that(PARAMETERS.contains(given), "parameter", given, "one of " + PARAMETERS));
        String name = QueryParameters.text(request, "name").orElse("").toLowerCase(Locale.ROOT);
        Checks.that(
                name.length() <= MAX_NAME_LENGTH && NAME.matcher(name).matches(),
                "name",
                name.isEmpty() ? "none" : name,
                "a host name or a wildcard such as *.example.com");
        String reason = QueryParameters.text(request, "reason").orElse(DEFAULT_REASON);
        CompletableFuture<Boolean> outcome = revoker.revoke(name, reason, OverrideParameters.who(request))
                .copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .handle((isOrdered, thrown) -> thrown == null ? isOrdered : rethrow(thrown));
        return replies.respondWhenComplete(
                outcome,
                request,
                isOrdered -> AdminResponse.json(JsonWriter.write(json -> json.object(() -> {
                    json.field("name", name);
                    json.field("ordered", isOrdered);
                }))));
    }

    private static boolean rethrow(Throwable thrown) {
        Throwable failure = thrown instanceof CompletionException wrapper ? wrapper.getCause() : thrown;
        if (failure instanceof NoSuchElementException missing) {
            throw HttpProblem.notFound(ErrorText.of(missing));
        }
        if (failure instanceof CertificateRevoker.RevocationRefusedException refused) {
            throw HttpProblem.of(HttpResponseStatus.BAD_GATEWAY, ErrorText.of(refused));
        }
        if (failure instanceof TimeoutException) {
            throw new UnavailableException(
                    "the revocation waits for an order that is running; its result will be an event");
        }
        throw thrown instanceof RuntimeException unchecked ? unchecked : new CompletionException(thrown);
    }
}
