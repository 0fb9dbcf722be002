@NullMarked
package io.ballast.cluster.mesh;

import org.jspecify.annotations.NullMarked;
