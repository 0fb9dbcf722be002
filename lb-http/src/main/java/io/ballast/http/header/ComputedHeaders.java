package io.ballast.http.header;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The request headers that Ballast computes from more than the header lines of the client. Stateless. */
public final class ComputedHeaders {

    /**
     * Forwarding headers with the client's address. The other forwarding headers depend only on scheme, host and
     * listener.
     */
    private static final List<String> OF_ADDRESS = List.of("x-forwarded-for", "forwarded");

    private ComputedHeaders() {}

    /**
     * Returns the names, in lower case with hyphens, of the headers with the client's address, and of the headers that
     * a rule sets or adds with a variable other than {@code $host}.
     */
    public static Set<String> of(Collection<HeaderChanges> rules) {
        Set<String> names = new HashSet<>(OF_ADDRESS);
        rules.stream()
                .flatMap(changes -> Stream.concat(changes.set().stream(), changes.add().stream()))
                .filter(field -> isComputed(field.value()))
                .map(HeaderField::name)
                .forEach(name -> names.add(name.toLowerCase(Locale.ROOT).replace('_', '-')));
        return Set.copyOf(names);
    }

    private static boolean isComputed(HeaderValue value) {
        return value.parts().stream()
                .anyMatch(part -> part instanceof HeaderValue.Variable used && used.variable() != HeaderVariable.HOST);
    }
}
