package io.ballast.server.terminal;

import java.time.Duration;

/** Something that text is drawn on by ANSI's control sequences, and somebody who may have had enough. */
public interface Screen {

    /** How many lines it has now. */
    int rows();

    /** How many characters a line has now. */
    int columns();

    /** Waits for so long, or until the end is asked for; returns whether it is. */
    boolean endsWithin(Duration time) throws InterruptedException;
}
