package io.ballast.cli.terminal;

import java.time.Duration;

/** A terminal on which text is drawn with ANSI control sequences, and the keyboard input that ends the program. */
public interface Screen {

    /** The current size; read once per frame, because it may be slow. */
    Size size();

    /**
     * The size of a screen.
     *
     * @param rows lines
     * @param columns characters of a line
     */
    record Size(int rows, int columns) {}

    /** Registers an action that runs, on any thread, if the process ends while the screen is in use. */
    void onExit(Runnable last);

    /** Waits for the given time or until the user quits; returns whether the user quit. */
    boolean awaitQuit(Duration time) throws InterruptedException;
}
