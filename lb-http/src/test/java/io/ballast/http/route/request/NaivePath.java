package io.ballast.http.route.request;

import java.util.ArrayList;
import java.util.List;

/** A simple reference implementation of path normalization. */
public final class NaivePath {

    private NaivePath() {}

    public static String normalize(String target) {
        String path = target.split("\\?", -1)[0];
        if (!path.startsWith("/")) {
            return path.isEmpty() ? "/" : path;
        }
        List<String> segments = new ArrayList<>();
        boolean endsWithSlash = false;
        for (String encoded : path.substring(1).split("/", -1)) {
            String segment = decode(encoded);
            endsWithSlash = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (segment.equals("..") && !segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            } else if (!endsWithSlash) {
                segments.add(segment);
            }
        }
        String joined = "/" + String.join("/", segments);
        return endsWithSlash && !segments.isEmpty() ? joined + "/" : joined;
    }

    private static String decode(String segment) {
        StringBuilder decoded = new StringBuilder();
        for (int i = 0; i < segment.length(); i++) {
            if (!segment.substring(i).matches("(?s)%[0-9A-Fa-f]{2}.*")) {
                decoded.append(segment.charAt(i) == '%' ? "%25" : segment.charAt(i));
                continue;
            }
            char b = (char) Integer.parseInt(segment.substring(i + 1, i + 3), 16);
            decoded.append(b == '/' ? "%2F" : b == '%' ? "%25" : b);
            i += 2;
        }
        return decoded.toString();
    }
}
