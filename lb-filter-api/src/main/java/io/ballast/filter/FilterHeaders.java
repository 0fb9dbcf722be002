package io.ballast.filter;

import java.util.List;
import java.util.Optional;

/**
 * Header lines in the order in which they were sent. Immutable. Names are compared without case; a lookup takes time
 * proportional to the number of lines.
 *
 * @param lines all lines
 */
public record FilterHeaders(List<FilterHeader> lines) {

    public FilterHeaders {
        lines = List.copyOf(lines);
    }

    /** Returns the value of the first line with this name. */
    public Optional<String> first(String name) {
        return lines.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(FilterHeader::value)
                .findFirst();
    }

    /** Returns the values of all lines with this name. */
    public List<String> all(String name) {
        return lines.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(FilterHeader::value)
                .toList();
    }

    /** Whether a line has this name. */
    public boolean contains(String name) {
        return first(name).isPresent();
    }
}
