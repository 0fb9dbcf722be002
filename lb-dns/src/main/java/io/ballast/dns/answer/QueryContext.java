package io.ballast.dns.answer;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What an answering thread knows and remembers from query to query: its random generator, its cursors, and what the
 * present answer has taken already.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only to grow.
 */
final class QueryContext implements PickContext {

    private final SplittableRandom random;
    private final ClientLocation location;
    private Client client = new Client();
    private boolean dnssecOk;
    private int[] cursors = {};
    private Backend[] excluded = new Backend[8];
    private int excludedCount;

    QueryContext(PublishedAnswers published, SplittableRandom random) {
        this.random = random;
        this.location = new ClientLocation(published);
    }

    /** From the next query on, these answers are given. */
    void use(PublishedAnswers answers) {
        location.use(answers);
    }

    /** A query begins. */
    void asks(Client asking) {
        client = asking;
        location.at(asking.octets(), asking.length());
    }

    /** The query that is answered wants signatures, or does not. */
    void dnssecOk(boolean wanted) {
        dnssecOk = wanted;
    }

    boolean isDnssecOk() {
        return dnssecOk;
    }

    /** Who asks. */
    Client client() {
        return client;
    }

    /** Where it is. */
    ClientLocation location() {
        return location;
    }

    /** Makes room for the cursors of a table. */
    void ensureCursors(int count) {
        if (cursors.length < count) {
            cursors = Arrays.copyOf(cursors, count);
        }
    }

    /** Moves a cursor on around a ring of {@code size} and returns where it was. */
    int advance(int cursor, int size) {
        // A ring may have become smaller since the last query.
        int at = cursors[cursor] < size ? cursors[cursor] : 0;
        cursors[cursor] = at + 1;
        return at;
    }

    /** A random number from 0 to {@code bound - 1}. */
    int random(int bound) {
        return random.nextInt(bound);
    }

    void includeAll() {
        excludedCount = 0;
    }

    void exclude(Backend backend) {
        if (excludedCount == excluded.length) {
            excluded = Arrays.copyOf(excluded, 2 * excludedCount);
        }
        excluded[excludedCount++] = backend;
    }

    @Override
    public boolean isExcluded(Backend backend) {
        for (int i = 0; i < excludedCount; i++) {
            if (excluded[i] == backend) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long nextRandom() {
        return random.nextLong();
    }

    /** The client's network: where routing ties clients to addresses, resolvers near it may share an answer. */
    @Override
    public long affinity() {
        return location.network();
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }
}
