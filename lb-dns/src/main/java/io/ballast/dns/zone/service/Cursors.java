package io.ballast.dns.zone;

/** Hands out the cursors of a table, each once. Thread safety: confined to the thread that compiles the table. */
final class Cursors {

    private int used = 1; // the first is nobody's: its number, 0, is no salt

    int next() {
        return used++;
    }

    /** How many a thread needs. */
    int count() {
        return used;
    }
}
