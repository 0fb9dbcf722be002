package io.ballast.http.errorpage;

import io.ballast.core.config.errorpage.PageFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The formats of error pages that a client names in {@code Accept} (RFC 9110 section 12.5.1), best first. Wildcards
 * name no format. Immutable.
 *
 * @param named the formats; empty if the client names none
 */
public record AcceptedFormats(List<PageFormat> named) {

    private static final int MAX_RANGES = 64;
    private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    private record Range(PageFormat format, double weight) {}

    public AcceptedFormats {
        named = List.copyOf(named);
    }

    /** Reads at most {@value #MAX_RANGES} media ranges; formats with equal weights keep the order of the header. */
    public static AcceptedFormats of(@Nullable String accept) {
        List<Range> ranges = new ArrayList<>();
        if (accept != null) {
            String[] all = accept.split(",", MAX_RANGES + 1);
            for (int i = 0; i < Math.min(all.length, MAX_RANGES); i++) {
                add(all[i].toLowerCase(Locale.ROOT), ranges);
            }
        }
        ranges.sort(Comparator.comparingDouble(Range::weight).reversed()); // the sort is stable
        return new AcceptedFormats(ranges.stream().map(Range::format).distinct().toList());
    }

    private static void add(String range, List<Range> ranges) {
        String[] parts = range.split(";", MAX_RANGES);
        PageFormat format = format(parts[0].strip());
        double weight = weight(parts);
        if (format != null && weight > 0) {
            ranges.add(new Range(format, weight));
        }
    }

    private static @Nullable PageFormat format(String mediaType) {
        if (mediaType.equals("text/html") || mediaType.equals("application/xhtml+xml")) {
            return PageFormat.HTML;
        }
        if (mediaType.equals("text/plain")) {
            return PageFormat.TEXT;
        }
        return mediaType.equals("application/json") || mediaType.endsWith("+json") ? PageFormat.JSON : null;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return WEIGHT.matcher(parameter).matches() ? Double.parseDouble(parameter.substring(2)) : 0;
            }
        }
        return 1;
    }
}
