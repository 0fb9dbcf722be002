package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.dashboard.document.SharedConfigurationJson;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.AdminResponse;
import io.ballast.dashboard.server.BlockingHandlers;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.server.Router;
import io.ballast.dashboard.source.SharedConfiguration;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Lists, applies and restores versions of the configuration of a cluster. */
final class SharedConfigurationRoutes {

    private static final String PATH = "/api/v1/cluster/configuration";
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(30);
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);
    private static final int MAX_NOTE_LENGTH = 200;
    private static final int MAX_UPLOAD_BYTES = 4 << 20;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    private final Supplier<Optional<SharedConfiguration>> configuration;
    private final BlockingHandlers blockingHandlers;
    private final AsyncResponses replies;

    SharedConfigurationRoutes(
            Supplier<Optional<SharedConfiguration>> configuration,
            BlockingHandlers blockingHandlers,
            AsyncResponses replies) {
        this.configuration = configuration;
        this.blockingHandlers = blockingHandlers;
        this.replies = replies;
    }

    void addTo(Router router) {
        router.get(PATH, request -> history());
        router.getOperator(PATH + "/versions/{number}", blockingHandlers.wrap(this::files));
        router.put(PATH + "/uploads/{sha256}", this::upload);
        router.command(PATH, this::apply);
        router.command(PATH + "/rollback", this::rollback);
    }

    private SharedConfiguration require() {
        return configuration
                .get()
                .orElseThrow(
                        () -> HttpProblem.notFound("this process is not in a cluster (expected: the key cluster)"));
    }

    private AdminResponse history() {
        SharedConfiguration present = require();
        return AdminResponse.json(SharedConfigurationJson.history(present.versions(), present.nodes()));
    }

    private AdminResponse files(Request request) {
        long number = number(request.parameter("number"));
        SortedMap<String, byte[]> files = require()
                .files(number)
                .orElseThrow(() -> HttpProblem.notFound(
                        "there is no version " + number + " (expected: a version of lb cluster history)"));
        return AdminResponse.json(SharedConfigurationJson.files(number, files));
    }

    private AdminResponse upload(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            allow(request, Set.of("offset"));
            int offset = QueryParameters.number(request, "offset", 0, 0, MAX_UPLOAD_BYTES);
            byte[] part = part(request.body());
            require().upload(request.parameter("sha256"), offset, part);
            return AdminResponse.json(
                    JsonWriter.write(json -> json.object(() -> json.field("received", offset + part.length))));
        });
    }

    private static byte[] part(byte[] body) {
        try {
            Map<String, Object> fields = JsonObject.read(body);
            String data = Objects.toString(fields.get("data"), "");
            Checks.that(fields.size() == 1 && !data.isEmpty(), "body", fields.keySet(), "a JSON object with data");
            return decode(data);
        } catch (IOException e) {
            throw new IllegalArgumentException("body: no JSON object (expected: a JSON object with data)", e);
        }
    }

    private static byte[] decode(String data) {
        try {
            return Base64.getDecoder().decode(data);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("data: not Base64 (expected: bytes in Base64)", e);
        }
    }

    private AdminResponse apply(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            allow(request, Set.of("upload", "note", "wait", "who"));
            String upload = QueryParameters.text(request, "upload").orElse("");
            Checks.that(
                    HASH.matcher(upload).matches(), "upload", upload, "the SHA-256 of an upload in hexadecimal digits");
            String author = author(request);
            String note = note(request);
            Duration wait = wait(request);
            return replies.respondWhenComplete(
                    require().apply(upload, author, note, wait), request, SharedConfigurationRoutes::reply);
        });
    }

    private AdminResponse rollback(Request request) {
        return AsyncResponses.runOrBadRequest(() -> {
            allow(request, Set.of("version", "note", "wait", "who"));
            Optional<Long> version = QueryParameters.text(request, "version").map(SharedConfigurationRoutes::number);
            String author = author(request);
            String note = note(request);
            Duration wait = wait(request);
            return replies.respondWhenComplete(
                    require().rollback(version, author, note, wait), request, SharedConfigurationRoutes::reply);
        });
    }

    private static AdminResponse.Complete reply(SharedConfiguration.Result result) {
        HttpResponseStatus status = result.version().state() == SharedConfiguration.State.ACTIVE
                ? HttpResponseStatus.OK
                : HttpResponseStatus.UNPROCESSABLE_ENTITY;
        return AdminResponse.of(status, "application/json", SharedConfigurationJson.result(result));
    }

    private static void allow(Request request, Set<String> parameters) {
        request.query()
                .keySet()
                .forEach(given -> Checks.that(
                        parameters.contains(given), "parameter", given, String.join(", ", List.copyOf(parameters))));
    }

    /** The name of the caller, if it is known; otherwise the name that the request contains. */
    private static String author(Request request) {
        return request.caller()
                .name()
                .or(() -> QueryParameters.text(request, "who"))
                .orElse("api");
    }

    private static String note(Request request) {
        String note = QueryParameters.text(request, "note").orElse("");
        Checks.that(
                note.length() <= MAX_NOTE_LENGTH, "note", note.length() + " characters", "at most " + MAX_NOTE_LENGTH);
        return note;
    }

    private static Duration wait(Request request) {
        Duration wait =
                QueryParameters.text(request, "wait").map(DurationText::parse).orElse(DEFAULT_WAIT);
        Checks.that(
                wait.compareTo(Duration.ofSeconds(1)) >= 0 && wait.compareTo(MAX_WAIT) <= 0,
                "wait",
                DurationText.of(wait),
                "1s to 2m");
        return wait;
    }

    private static long number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw HttpProblem.badRequest("version: " + text + " (expected: a number)");
        }
        return Long.parseLong(text);
    }
}
