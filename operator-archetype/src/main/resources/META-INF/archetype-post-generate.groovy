// The archetype plugin writes files without permissions.
new File(request.outputDirectory, request.artifactId + "/mvnw").setExecutable(true, false)
