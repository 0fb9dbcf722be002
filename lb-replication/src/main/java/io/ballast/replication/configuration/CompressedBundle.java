package io.ballast.replication.configuration;

import io.ballast.config.shared.ConfigurationBundle;

/**
 * The files of a version, both uncompressed and compressed. Immutable.
 *
 * @param compressed the compressed form; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is not copied
record CompressedBundle(ConfigurationBundle bundle, byte[] compressed) {

    /** @throws IllegalArgumentException as {@link ConfigurationBundle#decompress} */
    static CompressedBundle of(byte[] compressed) {
        return new CompressedBundle(ConfigurationBundle.decompress(compressed), compressed);
    }
}
