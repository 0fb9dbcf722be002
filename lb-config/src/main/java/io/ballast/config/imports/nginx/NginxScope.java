package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The blocks around a directive, ordered from outermost to innermost. Settings of inner blocks override those
 * of outer blocks.
 *
 * @param blocks the directives of each block
 */
record NginxScope(List<List<Directive>> blocks) {

    /** Returns the scope of an outermost block. */
    static NginxScope of(Directive block) {
        return new NginxScope(List.of(block.block()));
    }

    /** Returns the scope of a block inside this one. */
    NginxScope within(Directive block) {
        List<List<Directive>> all = new ArrayList<>(blocks);
        all.add(block.block());
        return new NginxScope(all);
    }

    /** Returns the effective directive with this name. */
    Optional<Directive> last(String name) {
        List<Directive> all = all(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /**
     * Returns all directives with these names, in file order, from the innermost block that contains any of
     * them.
     */
    List<Directive> all(String... names) {
        List<String> wanted = List.of(names);
        for (int i = blocks.size() - 1; i >= 0; i--) {
            List<Directive> named = blocks.get(i).stream()
                    .filter(directive -> wanted.contains(directive.name()))
                    .toList();
            if (!named.isEmpty()) {
                return named;
            }
        }
        return List.of();
    }
}
