package io.ballast.http.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The codings of precompressed files, in the order of preference if a client accepts several equally. */
enum FileCoding {
    BROTLI("br", ".br"),
    ZSTD("zstd", ".zst"),
    GZIP("gzip", ".gz");

    private static final List<FileCoding> ALL = List.of(values());

    private final String token;
    private final String suffix;

    FileCoding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /** The name of the coding in headers. */
    String token() {
        return token;
    }

    /** The suffix of the names of files with this coding. */
    String suffix() {
        return suffix;
    }

    /**
     * Returns the codings that a client accepts, the preferred one first.
     *
     * @param header the value of {@code Accept-Encoding} (RFC 9110 section 12.5.3); null for none
     */
    static List<FileCoding> accepted(@Nullable String header) {
        if (header == null) {
            return List.of();
        }
        double[] weights = {-1, -1, -1};
        double others = 0;
        for (String item : header.toLowerCase(Locale.ROOT).split(",")) {
            int semicolon = item.indexOf(';');
            String name = (semicolon < 0 ? item : item.substring(0, semicolon)).strip();
            double weight = semicolon < 0 ? 1 : weight(item.substring(semicolon + 1));
            if (name.equals("*")) {
                others = weight;
            }
            for (FileCoding coding : ALL) {
                if (name.equals(coding.token) || name.equals("x-" + coding.token)) {
                    weights[coding.ordinal()] = weight;
                }
            }
        }
        List<FileCoding> accepted = new ArrayList<>();
        for (FileCoding coding : ALL) {
            if (weights[coding.ordinal()] < 0) {
                weights[coding.ordinal()] = others;
            }
            if (weights[coding.ordinal()] > 0) {
                accepted.add(coding);
            }
        }
        accepted.sort(Comparator.comparingDouble(coding -> -weights[coding.ordinal()]));
        return accepted;
    }

    private static double weight(String parameters) {
        String text = parameters.strip();
        if (!text.startsWith("q=")) {
            return 1;
        }
        try {
            return Double.parseDouble(text.substring(2).strip());
        } catch (NumberFormatException e) {
            return 0; // a malformed weight does not select the coding
        }
    }
}
