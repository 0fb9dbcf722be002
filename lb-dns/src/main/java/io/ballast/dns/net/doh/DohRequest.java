package io.ballast.dns.net.doh;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks DoH requests (<a href="https://datatracker.ietf.org/doc/html/rfc8484#section-4.1">RFC 8484 section
 * 4.1</a>).
 */
final class DohRequest {

    /** The media type of messages. */
    static final AsciiString MEDIA_TYPE = AsciiString.cached("application/dns-message");

    /** The supported methods, for the {@code Allow} header field. */
    static final AsciiString ALLOWED_METHODS = AsciiString.cached("GET, POST");

    /**
     * The maximum size of the request line and of the header section; a query in the target may have 6000 bytes.
     */
    static final int MAX_HEADER_BYTES = 8 * 1024;

    /** The maximum size of a query in a body. No query that can be answered is longer. */
    static final int MAX_BODY_BYTES = 16 * 1024;

    private static final String PATH = "/dns-query";
    private static final String PARAMETER = "dns=";

    /** Base64url without padding. */
    private static final Pattern BASE64URL = Pattern.compile("[A-Za-z0-9_-]+");

    private DohRequest() {}

    /**
     * Checks a request by its header section.
     *
     * @param contentLength the length of the body; 0 if there is no body or its length is unknown
     * @return {@code OK} if the query may be read
     */
    static HttpResponseStatus validate(
            @Nullable CharSequence method,
            @Nullable CharSequence target,
            @Nullable CharSequence contentType,
            @Nullable CharSequence contentEncoding,
            long contentLength) {
        if (method == null || target == null) {
            return HttpResponseStatus.BAD_REQUEST;
        }
        if (!path(target.toString()).equals(PATH)) {
            return HttpResponseStatus.NOT_FOUND;
        }
        if (isPost(method)) {
            if (contentEncoding != null || !isDnsMessage(contentType)) {
                return HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE;
            }
            return contentLength > MAX_BODY_BYTES ? HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE : HttpResponseStatus.OK;
        }
        return HttpMethod.GET.asciiName().contentEquals(method)
                ? HttpResponseStatus.OK
                : HttpResponseStatus.METHOD_NOT_ALLOWED;
    }

    static boolean isPost(CharSequence method) {
        return HttpMethod.POST.asciiName().contentEquals(method);
    }

    /** Returns the query in the target of a GET; null if there is none. */
    static byte @Nullable [] query(CharSequence target) {
        String text = target.toString();
        String parameters = text.substring(Math.min(text.length(), path(text).length() + 1));
        for (String parameter : parameters.split("&", -1)) {
            if (parameter.startsWith(PARAMETER)) {
                return decode(parameter.substring(PARAMETER.length()));
            }
        }
        return null;
    }

    private static byte @Nullable [] decode(String text) {
        if (!BASE64URL.matcher(text).matches()) {
            return null;
        }
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null; // The length is invalid for Base64.
        }
    }

    private static String path(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** Whether the media type is that of a DNS message. Its parameters are ignored. */
    private static boolean isDnsMessage(@Nullable CharSequence contentType) {
        if (contentType == null) {
            return false;
        }
        String text = contentType.toString();
        int end = text.indexOf(';');
        return MEDIA_TYPE.contentEqualsIgnoreCase((end < 0 ? text : text.substring(0, end)).trim());
    }
}
