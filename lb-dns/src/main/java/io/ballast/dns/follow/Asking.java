package io.ballast.dns.follow;

import io.ballast.dns.answer.AddressFamily;
import java.util.function.Consumer;

/** Asks resolvers for the addresses of names. Thread safety: any thread may call it. */
@FunctionalInterface
public interface Asking {

    /**
     * Asks once. Returns at once, and does not throw.
     *
     * @param name in lower case, without its last dot
     * @param to is told what became of it, once, by any thread, perhaps before this returns
     */
    void ask(String name, AddressFamily family, Consumer<Reply> to);
}
