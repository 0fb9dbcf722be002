package io.ballast.dns.answer.data;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.PickContext;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The state of an answering thread: its random generator, its rotation cursors, and the addresses already in
 * the current answer.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only when an array must grow.
 */
public final class QueryContext implements PickContext {

    private final SplittableRandom random;
    private final ClientLocation location;
    private Client client = new Client();
    private boolean dnssecOk;
    private int[] cursors = {};
    private Backend[] excluded = new Backend[8];
    private int excludedCount;

    public QueryContext(PublishedAnswers published, SplittableRandom random) {
        this.random = random;
        this.location = new ClientLocation(published);
    }

    /** Uses these answers for all later queries. */
    public void use(PublishedAnswers answers) {
        location.use(answers);
    }

    /** Starts a query. */
    public void beginQuery(Client nextClient) {
        client = nextClient;
        location.beginQuery(nextClient.bytes(), nextClient.length());
    }

    /** Sets whether the current query requests DNSSEC records. */
    public void dnssecOk(boolean wanted) {
        dnssecOk = wanted;
    }

    public boolean isDnssecOk() {
        return dnssecOk;
    }

    /** The client of the current query. */
    public Client client() {
        return client;
    }

    /** The client's location. */
    public ClientLocation location() {
        return location;
    }

    /** Ensures capacity for the cursors of a table. */
    public void ensureCursors(int count) {
        if (cursors.length < count) {
            cursors = Arrays.copyOf(cursors, count);
        }
    }

    /** Advances a cursor in a ring of {@code size} entries, and returns its previous position. */
    public int advance(int cursor, int size) {
        // The number of entries may have decreased since the last query.
        int at = cursors[cursor] < size ? cursors[cursor] : 0;
        cursors[cursor] = at + 1;
        return at;
    }

    /** A random number from 0 to {@code bound - 1}. */
    public int random(int bound) {
        return random.nextInt(bound);
    }

    public void includeAll() {
        excludedCount = 0;
    }

    public void exclude(Backend backend) {
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

    /** Returns a hash of the client's network, so that all resolvers in the same network get the same answer. */
    @Override
    public long affinity() {
        return location.network();
    }

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }
}
