package io.ballast.http.serving.error;

import io.ballast.core.config.errorpage.PageFormat;
import io.ballast.core.config.errorpage.PageTemplate;
import io.ballast.http.errorpage.AcceptedFormats;
import io.ballast.http.errorpage.ErrorPageTable;
import io.ballast.http.errorpage.ErrorPageTable.Selection;
import io.ballast.http.route.destination.ReasonPhrases;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The status and the body of an error response.
 *
 * @param status the status to send
 * @param body the body in UTF-8; must not be modified
 * @param shared whether all responses have the same body, so that it needs no memory of its own
 */
@SuppressWarnings("ArrayRecordComponent") // contents are never compared
public record ErrorContent(int status, String contentType, byte[] body, boolean shared) {

    /**
     * Returns the configured page for a failure, or Ballast's own page.
     *
     * @param pages the configured pages; null for none
     * @param detail a sentence about the failure for Ballast's own page; null for none
     * @param accept the request's {@code Accept}; null for none
     * @param requestId a token (RFC 9110 section 5.6.2)
     * @param traceId the id of the request's trace for Ballast's own page; empty for none
     */
    public static ErrorContent of(
            @Nullable ErrorPageTable pages,
            int status,
            @Nullable String detail,
            @Nullable String accept,
            String requestId,
            String traceId) {
        AcceptedFormats accepted = AcceptedFormats.of(accept);
        Selection page = pages == null ? null : pages.select(status, accepted);
        if (page == null) {
            PageFormat format = accepted.named().isEmpty()
                    ? PageFormat.TEXT
                    : accepted.named().get(0);
            return own(format, status, detail == null ? "" : detail, requestId, traceId);
        }
        PageTemplate template = page.file().content();
        byte[] body = template.isConstant()
                ? template.constant()
                : template.render(page.format(), page.status(), ReasonPhrases.of(page.status()), requestId);
        return new ErrorContent(page.status(), page.format().contentType(), body, template.isConstant());
    }

    private static ErrorContent own(PageFormat format, int status, String detail, String requestId, String traceId) {
        String reason = ReasonPhrases.of(status);
        String title = reason.isEmpty() ? "" + status : status + " " + reason;
        String body =
                switch (format) {
                    case TEXT ->
                        title + (detail.isEmpty() ? "" : ": " + detail) + "\nrequest " + requestId + "\n"
                                + optional("trace ", traceId, "\n");
                    case HTML -> html(title, detail, requestId, traceId);
                    case JSON ->
                        "{\"status\":" + status + ",\"error\":\"" + reason + "\",\"message\":\"" + detail
                                + "\",\"request_id\":\"" + requestId + "\""
                                + optional(",\"trace_id\":\"", traceId, "\"") + "}\n";
                };
        return new ErrorContent(
                status, format.contentType(), body.getBytes(StandardCharsets.UTF_8), /* shared= */ false);
    }

    private static String html(String title, String detail, String requestId, String traceId) {
        return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>" + title + "</title></head><body><h1>"
                + title + "</h1>" + (detail.isEmpty() ? "" : "<p>" + detail + "</p>") + "<p>Request "
                + requestId.replace("&", "&amp;") + optional(", trace ", traceId, "") + "</p></body></html>\n";
    }

    private static String optional(String before, String value, String after) {
        return value.isEmpty() ? "" : before + value + after;
    }
}
