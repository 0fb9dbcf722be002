package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.source.HttpCaches;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;

/** Removes responses from the caches of HTTP requests. */
final class HttpCacheRoutes {

    private static final Set<String> PARAMETERS = Set.of("url", "tag", "policy", "who");
    private static final int MAX_URL_LENGTH = 4096;

    private final HttpCaches caches;
    private final BlockingHandlers blockingHandlers;

    HttpCacheRoutes(HttpCaches caches, BlockingHandlers blockingHandlers) {
        this.caches = caches;
        this.blockingHandlers = blockingHandlers;
    }

    void addTo(Router router) {
        router.command("/api/v1/cache/purge", blockingHandlers.wrap(this::purge));
    }

    private AdminResponse purge(Request request) {
        try {
            for (String given : request.query().keySet()) {
                Checks.that(PARAMETERS.contains(given), "parameter", given, "one of " + PARAMETERS);
            }
            HttpCaches.Selection selection = new HttpCaches.Selection(
                    QueryParameters.text(request, "policy"), url(request), QueryParameters.text(request, "tag"));
            FlushResult result = caches.purge(selection, OverrideParameters.who(request));
            AdminResponse.Complete reply = AdminResponse.json(
                    JsonWriter.write(json -> json.object(() -> json.field("removed", result.removed()))));
            return result.isPending() ? reply.withStatus(HttpResponseStatus.ACCEPTED) : reply;
        } catch (NoSuchElementException e) {
            throw HttpProblem.notFound(ErrorText.of(e));
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }

    private static Optional<String> url(Request request) {
        List<String> values = request.query().getOrDefault("url", List.of());
        Checks.that(values.size() <= 1, "url", values.size() + " values", "one");
        for (String url : values) {
            boolean isUrl = url.length() <= MAX_URL_LENGTH && url.matches("(?i)https?://[!-~]+");
            Checks.that(
                    isUrl,
                    "url",
                    "invalid value",
                    "an absolute URL such as https://example.com/a, or https://example.com/* for this prefix");
        }
        return values.stream().findFirst();
    }
}
