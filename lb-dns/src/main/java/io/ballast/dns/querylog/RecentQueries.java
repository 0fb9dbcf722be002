package io.ballast.dns.querylog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The last answered queries in memory, limited by number and by memory use.
 *
 * <p>Thread safety: any thread may call any method; answering threads never call it.
 */
final class RecentQueries {

    /** Maximum estimated size of all entries in bytes. */
    static final int MAX_BYTES = 32 * 1024 * 1024;

    /** Estimated size of an entry in bytes, without its characters. */
    private static final int ENTRY_BYTES = 200;

    private final ArrayDeque<AnsweredQuery> queries = new ArrayDeque<>();
    private final int maxBytes;
    private int maxQueries;
    private long bytes;

    RecentQueries(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Sets the maximum number of queries to keep, and removes the oldest ones if there are more. */
    synchronized void maxQueries(int count) {
        maxQueries = count;
        shrink();
    }

    synchronized void add(AnsweredQuery query) {
        queries.addFirst(query);
        bytes += bytes(query);
        shrink();
    }

    synchronized void clear() {
        queries.clear();
        bytes = 0;
    }

    private void shrink() {
        while (queries.size() > maxQueries || bytes > maxBytes) {
            bytes -= bytes(queries.removeLast());
        }
    }

    private static int bytes(AnsweredQuery query) {
        return ENTRY_BYTES
                + query.name().length()
                + query.client().length()
                + query.decider().length();
    }

    /** The newest queries that match, at most {@code limit}, newest first. */
    synchronized List<AnsweredQuery> newest(int limit, Predicate<AnsweredQuery> filter) {
        List<AnsweredQuery> found = new ArrayList<>();
        Iterator<AnsweredQuery> iterator = queries.iterator();
        while (found.size() < limit && iterator.hasNext()) {
            AnsweredQuery query = iterator.next();
            if (filter.test(query)) {
                found.add(query);
            }
        }
        return found;
    }
}
