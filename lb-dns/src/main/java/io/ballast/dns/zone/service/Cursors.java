package io.ballast.dns.zone.service;

/** Hands out the cursors of a table, each once. Thread safety: confined to the thread that compiles the table. */
public final class Cursors {

    private int used = 1; // the first is not handed out: its number, 0, is no salt

    int next() {
        return used++;
    }

    /** How many a thread needs. */
    public int count() {
        return used;
    }
}
