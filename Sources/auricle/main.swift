print("auricle")
