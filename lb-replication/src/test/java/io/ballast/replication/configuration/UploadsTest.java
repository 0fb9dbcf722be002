package io.ballast.replication.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ballast.config.shared.ConfigurationBundle;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UploadsTest {

    private static final byte[] WHOLE = "a configuration".getBytes(StandardCharsets.UTF_8);
    private static final String ID = ConfigurationBundle.sha256(WHOLE);

    private final Uploads uploads = new Uploads();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void partsBecomeAWholeThatCanBeTakenOnce() {
        uploads.add(ID, 0, bytes("a conf"));
        uploads.add(ID, 6, bytes("iguration"));

        assertThat(uploads.take(ID)).isEqualTo(WHOLE);

        assertThatIllegalArgumentException().isThrownBy(() -> uploads.take(ID));
    }

    @Test
    void wrongPartsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> uploads.add("../x", 0, WHOLE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> uploads.add(ID, 5, WHOLE))
                .withMessageContaining("expected: 0, or 0 to begin anew");
        uploads.add(ID, 0, bytes("a conf"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> uploads.add(ID, 5, bytes("figuration")))
                .withMessageContaining("expected: 6");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> uploads.take(ID))
                .withMessageContaining("the hash of the bytes that arrived");
        uploads.add(ID, 0, WHOLE);
        assertThat(uploads.take(ID)).isEqualTo(WHOLE);
    }

    @Test
    void uploadsAreBounded() {
        uploads.add(ID, 0, new byte[ConfigurationBundle.MAX_COMPRESSED_BYTES]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> uploads.add(ID, ConfigurationBundle.MAX_COMPRESSED_BYTES, new byte[1]))
                .withMessageContaining("at most 4194304");
        for (int i = 0; i < Uploads.MAX_UPLOADS; i++) {
            uploads.add(String.valueOf(i).repeat(64), 0, WHOLE);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> uploads.take(ID))
                .withMessageContaining("expected: a configuration that was sent to this node shortly before");
    }
}
