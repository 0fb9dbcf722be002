package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.server.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TrainCommandTest {

    @Test
    void servesTrainingTrafficAndEnds() {
        StringWriter err = new StringWriter();

        int exitCode = Main.commandLine()
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute("train");

        assertThat(err.toString()).isEmpty();
        assertThat(exitCode).isZero();
    }
}
