package io.ballast.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Encodes texts for the paths and queries of the API. */
public final class UrlQuery {

    private UrlQuery() {}

    /** Returns a query with these parameters, such as {@code ?source=probe}; empty if there are none. */
    public static String of(Map<String, String> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(each -> each.getKey() + "=" + encode(each.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** Encodes a text for a path segment or a query parameter. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
