package io.ballast.server.terminal;

import java.time.Duration;

/** Something that text is drawn on by ANSI's control sequences, and somebody who may have had enough. */
public interface Screen {

    /** How large it is now; to be asked once for all that is drawn together, since it may take a while. */
    Size size();

    /**
     * How large something is.
     *
     * @param rows lines
     * @param columns characters of a line
     */
    record Size(int rows, int columns) {}

    /** Registers an action that runs, on any thread, if the process ends while the screen is in use. */
    void onExit(Runnable last);

    /** Waits for the given time or until the user quits; returns whether the user quit. */
    boolean endsWithin(Duration time) throws InterruptedException;
}
